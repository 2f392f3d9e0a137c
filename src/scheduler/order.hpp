// The order: who is next. Most are a ranking (ranking.hpp), which is less to write. Without clock
// or I/O: each event goes in, and what is next comes out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/task_event.hpp"
#include "scheduler/refused.hpp"
#include "scheduler/scheduler_view.hpp"
#include "scheduler/target.hpp"

namespace somnus {

/// Who is next: an order over the stages that have runnable tasks.
class Order {
 public:
  virtual ~Order() = default;
  virtual void job_arrived(Time now, JobId job, const SchedulerView& view) = 0;
  /// The stage has runnable tasks and had none before: its parents ended, or an attempt was lost.
  /// Or it has one more, a backup of an attempt that takes long; then it may have had some before.
  virtual void stage_runnable(Time now, StageId stage, const SchedulerView& view) = 0;
  /// Its runnable tasks are not to be started any more: its job has failed, and ends when those
  /// have ended that run; or there was but a backup, and its original has finished.
  virtual void stage_withdrawn(StageId stage, const SchedulerView& view) = 0;
  virtual void task_launched(TaskId task, StageId stage, const SchedulerView& view) = 0;
  virtual void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) = 0;
  virtual void job_ended(JobId job, const SchedulerView& view) = 0;

  /// From now on next() also names stages for which no node has room, where resources count: so
  /// that they can be waited for. Before the first event.
  virtual void name_those_without_room() {}
  /// Before the first next() of a round: what changes as time passes may change now.
  virtual void round_begins(Time /*now*/, const SchedulerView&) {}
  /// The stage whose task is next; invalid if none is left in this round.
  [[nodiscard]] virtual StageId next(const SchedulerView& view) = 0;
  /// The stage finds no node in this round; next() passes over it until restore().
  virtual void set_aside(StageId stage, const SchedulerView& view) = 0;
  /// Whether the stage has runnable tasks and yet next() would name none of them, whoever else is
  /// served: it waits for something, or has been left out.
  [[nodiscard]] virtual bool holds_back(StageId, const SchedulerView&) { return false; }
  /// Whether it is not its turn now, wherever it stands in the order, such as that of one whose
  /// queue has all that it may have.
  [[nodiscard]] virtual bool is_closed(StageId, const SchedulerView&) { return false; }
  virtual void restore(const SchedulerView& view) = 0;
  /// A unit may take the slots of those that run in a later tier than its own; the first is 0. Of
  /// the units that wait, those of an earlier tier come first.
  [[nodiscard]] virtual std::uint32_t tier(StageId, const SchedulerView&) const { return 0; }

  /// Throws an error that says who did that, as far as it is known here.
  virtual void blame(const std::string& deed) const { throw Refused(deed); }
  /// When it wants to be asked though nothing else happens; never: not at all.
  [[nodiscard]] virtual Time wakes_at() const { return never; }
  /// Promises made since the round began.
  [[nodiscard]] virtual std::span<const Promise> promises() const { return {}; }
  /// Of an active job; none: it does not think in such terms.
  [[nodiscard]] virtual std::optional<Target> target_of(JobId, const SchedulerView&) const {
    return std::nullopt;
  }
};

/// Which of a job's stages is first, if several may run: the order of its stages, asked for once.
class StageOrder {
 public:
  virtual ~StageOrder() = default;
  /// All stages of the job, the first first. It is about to arrive; its estimates are there.
  [[nodiscard]] virtual std::vector<StageId> stages_of(JobId job, JobsView jobs) const = 0;
};

}  // namespace somnus
