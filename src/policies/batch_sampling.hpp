// Sparrow's batch sampling (Sparrow, section 3; policies.md 4.4): a job's manager asks `ratio`
// nodes for each task of a stage, all distinct, at random.
//
// Early binding (late_binding = false): nodes reply with what they do now, (running + queued) /
// slots; when all replies are there, task by task goes to the least loaded of them, which counts
// for one more from then on. Nodes that the stage prefers are asked first, and of those that are
// equally loaded they get the task.
//
// Late binding: nodes put a reservation into their queues and say when its turn has come; then they
// get the stage's next task, or an answer that none is left. When a stage's reservations are used
// up and tasks are left (an attempt was lost), more are made.
//
// Orders have a say only among stages whose replies came in the same instant.
#pragma once

#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "scheduler/environment.hpp"
#include "scheduler/job_streams.hpp"
#include "scheduler/placement.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

struct BatchSamplingRules {
  double ratio = 2;
  bool late_binding = false;

  static constexpr auto fields() {
    using R = BatchSamplingRules;
    return in_order(
        field("ratio", &R::ratio, "1", "nodes asked for each task", Range{.low = 1, .high = 1000}),
        field("late_binding", &R::late_binding, "",
              "nodes get tasks only when they can start them"));
  }
  [[nodiscard]] PlacementTraits traits() const {
    return {.asks_nodes = true, .reserves = late_binding, .draws = true};
  }
};

class BatchSampling final : public Placement {
 public:
  using Rules = BatchSamplingRules;
  BatchSampling(const Rules& rules, const Environment& environment);
  [[nodiscard]] bool open(const PlacementView&) const override { return !replied_.empty(); }
  [[nodiscard]] NodeId choose(StageId stage, const PlacementView& view) override;
  void node_answered(const NodeAnswered& answer, const PlacementView& view) override;
  void stage_runnable(StageId stage, const PlacementView& view) override;
  void job_ended(JobId job) override { streams_.forget(job); }
  void round_begins(Time now, Asking& nodes) override;
  [[nodiscard]] Bound bound(const PlacementView& view) override;
  void round_ends(Asking& nodes) override;

 private:
  struct Sample {
    std::uint32_t outstanding = 0;  // probes without a reply, reservations not used up
    struct Candidate {
      Ratio<std::int64_t> load;
      bool preferred;
      NodeId node;
    };
    std::vector<Candidate> candidates;  // a heap, the least loaded in front
  };

  static bool later(const Sample::Candidate& a, const Sample::Candidate& b) {
    return std::tuple(b.load, !b.preferred, b.node) < std::tuple(a.load, !a.preferred, a.node);
  }
  void ask_nodes(StageId stage, double tasks, Asking& nodes);

  Rules rules_;
  JobStreams streams_;
  std::vector<NodeId> nodes_;  // all, in an order that draws have made
  std::vector<StageId> want_;  // stages that have yet to ask
  std::unordered_map<StageId, Sample> samples_;
  std::vector<StageId> replied_;  // all their nodes did, tasks can be placed
  std::vector<Bound> turns_;      // reservations whose turn has come
  std::vector<Bound> left_over_;  // those with nothing to launch
};

}  // namespace somnus
