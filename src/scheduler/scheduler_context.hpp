// Where a plan is written down.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "model/node_event.hpp"
#include "model/task_event.hpp"
#include "scheduler/scheduler_view.hpp"

namespace somnus {

/// What becomes of the work that somebody has done who gives up its slots.
enum class WorkDone : std::uint8_t { lost, kept };

/// Each decision is audited and takes effect at once in what views
/// show.
class SchedulerContext {
 public:
  virtual ~SchedulerContext() = default;
  /// Of nodes it shows what all managers get, until use_view_of().
  [[nodiscard]] virtual const SchedulerView& scheduler_view() const = 0;
  /// From now on views show nodes as that job's manager sees them. To be called before a choice
  /// for its tasks; costs nothing where all managers see the same.
  virtual void use_view_of(JobId manager) = 0;
  [[nodiscard]] virtual bool managers_see_the_same() const = 0;
  /// The stage's next runnable task goes to that node. Throws Bug if it must not.
  virtual TaskId place(StageId stage, NodeId node) = 0;
  /// All tasks of a gang, none of which runs: one to each of the nodes, which may come repeatedly.
  /// Throws Bug if one must not; then none has been placed.
  virtual std::vector<TaskId> place_gang(StageId stage, std::span<const NodeId> nodes) = 0;
  /// A gang or a single task, which runs, gives up its slots to another stage, as soon as its nodes
  /// have heard of it, and becomes runnable again when all of it has ended. Throws Bug if it must
  /// not.
  virtual void preempt(StageId stage, StageId by, WorkDone done) = 0;
  /// As place(), to the slot that the node holds since its reservation's turn has come.
  virtual TaskId place_reserved(StageId stage, NodeId node) = 0;
  virtual void request(const Request& request) = 0;
  /// The log gets it, nobody else.
  virtual void note(const Reservation& reservation) = 0;
};

}  // namespace somnus
