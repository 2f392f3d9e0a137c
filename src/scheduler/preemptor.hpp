// Preemption: units that run give up their slots to one that goes before them and for which there
// is no room. A part of the composition `Serve`. The order says by its tiers
// (`Order::tier`) who may take from whom: a unit the slots of those that run in a later tier. Gangs
// and single tasks give up theirs; the tasks of other stages come and go one by one, and keep them.
//
// Who gives up its slots is killed and waits again; what it has done is lost or kept. Which ones:
// those of the last tier first, and of a tier the one that was launched last; then, in that order,
// each without which there is enough goes on. None gives up anything unless there is enough for all
// of the unit. Until slots on their way have come back, nobody behind the unit starts: they are
// meant for it (policies.md 9.6).
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "scheduler/policy.hpp"

namespace somnus {

/// O(running units) in a round in which a unit finds no room, O(tiers) for each such unit, and
/// O(n log n) where some have to give up their slots.
class Preemptor {
 public:
  explicit Preemptor(WorkDone done) : done_(done) {}

  void round_begins() { counted_ = false; }
  /// There is no room for the unit. Whether slots are on their way to it, for which others may be
  /// made to give up theirs; then nobody behind it is to start in this round.
  [[nodiscard]] bool makes_room(StageId stage, const Order& order, SchedulerContext& context);
  /// Whether nobody can start from this unit on: no slot is free, and none is held in a later tier.
  [[nodiscard]] bool is_over(StageId stage, const Order& order, const SchedulerView& view);
  /// A gang or a single task has been launched.
  void launched(StageId stage) { running_.push_back(stage); }
  /// A task of that stage, whatever became of it.
  void task_ended(StageId stage, const SchedulerView& view);

 private:
  struct Holder {
    StageId stage;
    std::uint32_t width = 0;
    std::uint32_t tier = 0;
  };
  void count(const Order& order, const SchedulerView& view);
  /// Slots of those that run.
  [[nodiscard]] std::uint64_t held_after(std::uint32_t tier) const;
  /// Of those that run in a later tier, which have so many slots, the ones to give them up.
  [[nodiscard]] std::vector<Holder> victims(std::uint64_t slots, std::uint32_t tier,
                                            const Order& order, const SchedulerView& view) const;
  /// It has begun to end, or is killed: so many slots are to come back.
  void expect_back(StageId stage, std::uint32_t slots);

  WorkDone done_;
  std::vector<StageId> running_;                       // the last launched last
  std::unordered_map<StageId, std::uint32_t> ending_;  // slots that are to come back
  std::uint64_t coming_ = 0;                           // their sum
  std::map<std::uint32_t, std::uint64_t> held_;        // slots of those that run, by tier
  bool counted_ = false;                               // in this round
};

}  // namespace somnus
