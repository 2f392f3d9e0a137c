// SRPT: shortest remaining processing time first, the CFQ paper's baseline (section V;
// policies.md 2.3). Non-preemptive.
//
//     remaining(j) = L_j - c_j * (L_j / n_j)        [slot-time]      subtract = "mean"
//     remaining(j) = L_j - sum of what was estimated of each ended task    subtract = "own"
//
// kept as the fractions L_j (n_j - c_j) / n_j and (L_j - sum) / 1 of whole nanoseconds, which
// compare without rounding. Ties go to the earlier job.
//
// with L_j the estimated slot-time, n_j the number of tasks and c_j of those that have completed;
// running tasks still count in full. A task's end moves its job's key, nothing else does.
#pragma once

#include <vector>

#include "scheduler/ranking.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

enum class Subtract { mean, own };
template <>
struct EnumNames<Subtract> {
  static constexpr std::pair<Subtract, const char*> names[] = {{Subtract::mean, "mean"},
                                                               {Subtract::own, "own"}};
};

struct Srpt {
  Level level = Level::job;
  Subtract subtract = Subtract::mean;

  static constexpr auto fields() {
    return in_order(field("level", &Srpt::level, "", "what is ranked"),
                    field("subtract", &Srpt::subtract, "",
                          "what a completed task takes off: the job's mean task, or what was "
                          "estimated of that task"));
  }

  [[nodiscard]] OrderTraits traits() const { return {.own_estimates = subtract == Subtract::own}; }

  using Key = Ratio<Wide>;
  static constexpr KeyMoves moves = KeyMoves::when_tasks_end;

  void on(const Ended& event) {
    if (subtract == Subtract::mean || event.end.outcome != Outcome::finished) return;
    const std::uint32_t unit = event.unit.index();
    if (unit >= ended.size()) ended.resize(std::size_t{unit} + 1);
    ended[unit] += event.own();
  }

  [[nodiscard]] Key key(const Unit& unit) const {
    const Wide work = unit.slot_time().count();
    if (subtract == Subtract::mean) {
      return {.over = work * (unit.tasks() - unit.completed()), .under = unit.tasks()};
    }
    const bool any = unit.index() < ended.size();
    return {.over = any ? work - ended[unit.index()].count() : work, .under = 1};
  }

  std::vector<Duration> ended;  // by unit, slot-time; subtract = own
};
static_assert(Ranking<Srpt>);

}  // namespace somnus
