// The scheduler as a state machine: events in, launches out. It knows no clock, transport, log or
// truth; the same events give the same launches, which is what replay rests on.
//
// For each instant: handle() every event of it, then plan() once. Each decision of the policy is
// audited before it becomes a launch; a policy that decides nonsense ends with a Bug that says
// what and why.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/event.hpp"
#include "policy/policy.hpp"

namespace somnus {

class Engine final : private Desk {
 public:
  /// The catalogue must outlive the engine.
  Engine(const Catalogue& catalogue, const Cluster& cluster, std::unique_ptr<Policy> policy,
         Feedback feedback);

  /// Times must not go back. An end that is not of a running attempt (its node was given up
  /// meanwhile) changes nothing; returns whether the event was taken.
  bool handle(Time now, const Event& event);
  /// Valid until the next call.
  [[nodiscard]] std::span<const Launch> plan(Time now);

  [[nodiscard]] const JobTable& jobs() const { return jobs_; }
  [[nodiscard]] const NodeTable& nodes() const { return nodes_; }
  [[nodiscard]] bool all_ended() const {
    return jobs_.ended_jobs() == jobs_.catalogue().jobs.size();
  }

 private:
  [[nodiscard]] Picture picture() const override { return {jobs_, nodes_}; }
  TaskId place(StageId stage, NodeId node) override;
  void audit(StageId stage, NodeId node) const;

  bool on(Time now, const JobArrived& event);
  bool on(Time now, const StageEstimated& event);
  bool on(Time now, const TaskEnded& event);
  bool on(Time now, const NodeOffered& event);
  bool on(Time now, const NodeLost& event);
  bool on(Time now, const NodeReturned& event);

  std::unique_ptr<Policy> policy_;
  JobTable jobs_;
  NodeTable nodes_;
  std::vector<Launch> plan_;
  Time now_;
};

}  // namespace somnus
