// FAIR: fewest running tasks for its weight first, as Spark's fair scheduler compares (policies.md
// 2.2; CFQ, section V, baseline).
//
// With n running tasks [tasks], minimum share m [tasks] and weight w, a unit is needy while n < m:
//
//     needy before not needy;   both needy: smaller n / max(m, 1);   neither: smaller n / w
//
// Ties go to the earlier unit (Spark: to the name). The keys are compared anew after each launched
// task, which is exact fairness; Spark itself sorts once a round of offers.
#pragma once

#include <algorithm>
#include <compare>

#include "policy/ranked.hpp"

namespace somnus {

struct Fair {
  Level level = Level::job;
  double min_share = 0;

  static constexpr auto fields() {
    return std::tuple{field("level", &Fair::level, "", "what shares the cluster"),
                      field("min_share", &Fair::min_share, "tasks",
                            "a unit with fewer running tasks than this goes first", not_negative)};
  }

  struct Key {
    bool content;  // has its minimum share
    double ratio;
    friend constexpr auto operator<=>(const Key&, const Key&) = default;
  };
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;
  [[nodiscard]] Key key(const Unit& unit) const {
    const double n = unit.running();
    if (n < min_share) return {.content = false, .ratio = n / std::max(min_share, 1.0)};
    return {.content = true, .ratio = n / unit.weight()};
  }
};
static_assert(Ranking<Fair>);

}  // namespace somnus
