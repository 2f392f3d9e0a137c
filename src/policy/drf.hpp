// DRF: Dominant Resource Fairness by progressive filling (Ghodsi et al., NSDI 2011, as Carbyne,
// section 2, and policies.md 6.1 have it).
//
// Idea. Of several resources each job has a dominant one, of which its running tasks hold the
// largest share of the cluster. Repeatedly one task is given to the job with the least
//
//     s_k / w_k      s_k = max_r  held by its running tasks / of the whole cluster       [1]
//
// among those that have a runnable task for which some node has room. So shares grow together, and
// what one job can't use the others take: DRF as it is here is work-conserving. (drf-strict holds
// each job to its share of the closed form.) With one resource it is fair sharing of that.
//
// What a task holds is what the scheduler was told. Where only slots count a slot is the one
// resource. Shares are compared on the grid (share_grid.hpp); ties go to the earlier job.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "policy/dimensions.hpp"
#include "policy/ranked.hpp"
#include "base/share_grid.hpp"

namespace somnus {

struct Drf {
  static constexpr auto fields() { return std::tuple{}; }

  static constexpr Level level = Level::job;
  static constexpr bool resort_per_task = true;
  using Key = std::int64_t;
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;

  void on(const Settled& settled) { dimensions_.emplace(settled.surroundings.cluster); }
  [[nodiscard]] Key key(const Unit& job) const {
    return share_cell(dimensions_->dominant_share(job.job(), job.jobs()) / job.weight());
  }

 private:
  std::optional<Dimensions> dimensions_;  // from when the cluster is known
};
static_assert(Ranking<Drf>);

}  // namespace somnus
