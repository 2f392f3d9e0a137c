// FAIR: fewest running tasks for its weight first, as Spark's fair scheduler compares (policies.md
// 2.2; CFQ, section V, baseline).
//
// With n running tasks [tasks], minimum share m [tasks] and weight w, a unit is needy while n < m:
//
//     needy before not needy;   both needy: smaller n / max(m, 1);   neither: smaller n / w
//
// m is the same for all, so among the needy n alone decides. n / w is compared as a fraction, with
// the weight in whole billionths: 1 / 0.1 and 7 / 0.7 are equal. Ties go to the earlier unit
// (Spark: to the name). resort_per_task: the keys are compared anew after each launched task, which
// is exact fairness; without it they rest until the round of offers is over, as in Spark, and the
// first unit takes all that it can use.
#pragma once

#include "scheduler/ranking.hpp"

namespace somnus {

using FairKey = Ratio<std::int64_t>;

/// Running tasks for the weight.
[[nodiscard]] inline FairKey fair_key(std::uint32_t running, double weight) {
  return {.over = running, .under = billionths(weight)};
}
/// Spark's comparison as one number: below 0 what is needy.
[[nodiscard]] inline FairKey fair_key(std::uint32_t running, double min_share, double weight) {
  constexpr std::int64_t more_than_ever_run = std::int64_t{1} << 33;
  if (running < min_share) return {.over = running - more_than_ever_run, .under = 1};
  return fair_key(running, weight);
}

struct Fair {
  Level level = Level::job;
  double min_share = 0;
  bool resort_per_task = true;

  static constexpr auto fields() {
    return in_order(field("level", &Fair::level, "", "what shares the cluster"),
                    field("min_share", &Fair::min_share, "tasks",
                          "a unit with fewer running tasks than this goes first", not_negative),
                    field("resort_per_task", &Fair::resort_per_task, "",
                          "compare anew after each task; false: once a round, as Spark"));
  }

  using Key = FairKey;
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;
  [[nodiscard]] Key key(const Unit& unit) const {
    return fair_key(unit.running(), min_share, unit.weight());
  }
};
static_assert(Ranking<Fair>);

}  // namespace somnus
