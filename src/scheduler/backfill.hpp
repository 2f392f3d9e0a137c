// What happens when the order's next one does not fit: a part of the composition `Serve`. It says
// whether others may start before it, and by when it will have its turn. What it counts on is time
// limits, which a workload gives apart from all estimates of work.
#pragma once

#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/event.hpp"
#include "scheduler/policy.hpp"

namespace somnus {

class Backfill {
 public:
  virtual ~Backfill() = default;

  /// Before the order is asked for its first one.
  virtual void round_begins(Time now, const SchedulerView& view) = 0;
  /// Which stages may start in this round, or get another reservation.
  struct Candidates {
    bool all = true;
    StageId only{};  // where not all may: this one; invalid: none
  };
  [[nodiscard]] virtual Candidates candidates() const { return {}; }
  /// Whether the stage's next task, or all its gang, may start now if there is room for it.
  [[nodiscard]] virtual bool may_start(StageId stage, const SchedulerView& view) = 0;
  /// Where a unit that may start goes, a node for each task; empty: where the placement says.
  [[nodiscard]] virtual std::span<const NodeId> nodes() const { return {}; }
  /// It does not start in this round. Whether any other may.
  [[nodiscard]] virtual bool passes_over(StageId stage, const SchedulerView& view) = 0;
  /// Whether the last may_start() looked at its unit; else it had looked at too many before.
  [[nodiscard]] virtual bool has_looked() const { return true; }
  /// Whether any unit that does not start may take the slots of others; else the first in a round.
  [[nodiscard]] virtual bool any_may_preempt() const { return false; }
  /// Whether those that the order has not brought yet in this round go in an order of this part's
  /// own from now on, that of sort().
  [[nodiscard]] virtual bool sorts_others() const { return false; }
  /// `stages` are in the order's; those that can't start in this round may be left out.
  virtual void sort(std::vector<StageId>& /*stages*/, const SchedulerView& /*view*/) const {}
  /// So many tasks of the stage have been launched: all of a gang, or one.
  virtual void launched(StageId stage, std::uint32_t tasks, const SchedulerView& view) = 0;
  virtual void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) = 0;
  /// It has runnable tasks, and had none before.
  virtual void stage_runnable(StageId stage, const SchedulerView& view) = 0;
  /// It has no runnable tasks any more.
  virtual void stage_withdrawn(StageId stage, const SchedulerView& view) = 0;
  virtual void round_ends() = 0;
  /// Made, changed and given up since the round began.
  [[nodiscard]] virtual std::span<const Reservation> reservations() const { return {}; }
  /// As an order's.
  [[nodiscard]] virtual Time wakes_at() const { return never; }
};

/// Of such a part.
struct BackfillTraits {
  bool needs_limits = false;  // each job has to have one
  bool counts_slots = false;  // of no use where resources count
  bool keeps_word = true;     // while limits hold, who has a reservation starts by then
};

}  // namespace somnus
