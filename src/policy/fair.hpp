// FAIR: fewest running tasks for its weight first, as Spark's fair scheduler compares (policies.md
// 2.2; CFQ, section V, baseline).
//
// With n running tasks [tasks], minimum share m [tasks] and weight w, a unit is needy while n < m:
//
//     needy before not needy;   both needy: smaller n / max(m, 1);   neither: smaller n / w
//
// Ties go to the earlier unit (Spark: to the name). resort_per_task: the keys are compared anew
// after each launched task, which is exact fairness; without it they rest until the round of offers
// is over, as in Spark, and the first unit takes all that it can use.
#pragma once

#include <algorithm>

#include "policy/ranked.hpp"

namespace somnus {

/// Spark's comparison as one number: below 0 what is needy, by its share of the minimum (under 1).
inline double fair_key(std::uint32_t running, double min_share, double weight) {
  if (running < min_share) return running / std::max(min_share, 1.0) - 2;
  return running / weight;
}

struct Fair {
  Level level = Level::job;
  double min_share = 0;
  bool resort_per_task = true;

  static constexpr auto fields() {
    return std::tuple{field("level", &Fair::level, "", "what shares the cluster"),
                      field("min_share", &Fair::min_share, "tasks",
                            "a unit with fewer running tasks than this goes first", not_negative),
                      field("resort_per_task", &Fair::resort_per_task, "",
                            "compare anew after each task; false: once a round, as Spark")};
  }

  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;
  [[nodiscard]] Key key(const Unit& unit) const {
    return fair_key(unit.running(), min_share, unit.weight());
  }
};
static_assert(Ranking<Fair>);

}  // namespace somnus
