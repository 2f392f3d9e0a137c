// What a scheduler is made of. Everything here is without clock or I/O: each event goes in, and
// decisions come out. What draws at random does so from named streams of the run's seed, so the
// same events give the same decisions.
//
// A Policy answers each instant with a plan. Most are the composition Serve of an Order (who is
// next) and a Placement (where); a policy that can't be cut that way implements Policy itself.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/node_event.hpp"
#include "model/task_event.hpp"
#include "scheduler/feedback.hpp"
#include "scheduler/order.hpp"
#include "scheduler/placement.hpp"
#include "scheduler/refused.hpp"
#include "scheduler/scheduler_context.hpp"
#include "scheduler/scheduler_view.hpp"
#include "scheduler/target.hpp"

namespace somnus {

class Policy {
 public:
  virtual ~Policy() = default;
  virtual void job_arrived(Time now, JobId job, const SchedulerView& view) = 0;
  virtual void stage_runnable(Time now, StageId stage, const SchedulerView& view) = 0;
  /// As an order's.
  virtual void stage_withdrawn(StageId stage, const SchedulerView& view) = 0;
  virtual void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) = 0;
  virtual void job_ended(JobId job, const SchedulerView& view) = 0;
  /// As a placement's.
  [[nodiscard]] virtual bool follows_nodes() const { return false; }
  virtual void node_changed(NodeId, const SchedulerView&) {}
  virtual void node_reported(Time, const NodeOffered&, const SchedulerView&) {}
  virtual void node_answered(const NodeAnswered&, const SchedulerView&) {}
  /// Called once a round, after all its events.
  virtual void plan(Time now, SchedulerContext& context) = 0;

  // As an order's.
  virtual void blame(const std::string& deed) const { throw Refused(deed); }
  [[nodiscard]] virtual Time wakes_at() const { return never; }
  [[nodiscard]] virtual std::span<const Promise> promises() const { return {}; }
  [[nodiscard]] virtual std::optional<Target> target_of(JobId, const SchedulerView&) const {
    return std::nullopt;
  }
};

/// All that makes one up, as the engine runs it.
struct Scheduler {
  std::unique_ptr<Policy> policy;
  std::unique_ptr<Feedback> feedback;
  std::unique_ptr<StageOrder> within;  // none: stages are in the order of their numbers
  std::optional<QueueRules> queue;     // of each node; none: it holds no task that it can't start
};

}  // namespace somnus
