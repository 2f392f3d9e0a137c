// UJF: user-job fairness in practice (UWFQ, section III; policies.md 3.1), the baseline that UWFQ
// is measured against. The fluid that it approximates is in src/fluid/two_level.hpp.
//
// Spark with a pool for each user: fewest running tasks for its weight first, among users; then the
// same among the user's stages (level = stage) or jobs (level = job):
//
//     (n_user / w_user, n_unit / w_job)        lowest first, compared in that order
//
// Ties go to the earlier user, then to the earlier unit. No estimates. resort_per_task as in FAIR.
#pragma once

#include "policies/fair.hpp"

namespace somnus {

struct Ujf {
  Level level = Level::stage;
  bool resort_per_task = true;

  static constexpr auto fields() {
    return in_order(field("level", &Ujf::level, "", "what shares a user's part of the cluster"),
                    field("resort_per_task", &Ujf::resort_per_task, "",
                          "compare anew after each task; false: once a round, as Spark"));
  }

  using PoolKey = FairKey;
  using Key = FairKey;
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;
  [[nodiscard]] static std::uint32_t pool(const Unit& unit) { return unit.user().value(); }
  [[nodiscard]] static PoolKey pool_key(const Unit& unit) {
    return fair_key(unit.running_of_user(), unit.weight_of_user());
  }
  [[nodiscard]] static Key key(const Unit& unit) { return fair_key(unit.running(), unit.weight()); }
};
static_assert(PooledRanking<Ujf>);

}  // namespace somnus
