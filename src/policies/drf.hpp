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
// What a task holds is its estimated demand. Where only slots count a slot is the one
// resource. Shares are compared on the grid (share_grid.hpp); ties go to the earlier job.
//
// What a job is entitled to, its share of the closed form (quotas.hpp), decides nothing here; it is
// computed on request.
#pragma once

#include <cstdint>
#include <optional>

#include "base/share_grid.hpp"
#include "policies/quotas.hpp"
#include "scheduler/dimensions.hpp"
#include "scheduler/ranking.hpp"

namespace somnus {

struct Drf {
  static constexpr auto fields() { return in_order(); }

  static constexpr Level level = Level::job;
  static constexpr bool resort_per_task = true;
  using Key = std::int64_t;
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;

  void on(const Configured& settled) {
    dimensions_.emplace(settled.environment.cluster);
    quotas_.emplace(settled.environment.cluster);
  }
  void on(const Submitted& event) { quotas_->job_arrived(event.unit.job(), event.unit.jobs()); }
  void on(const Ended& event) {
    if (event.unit.jobs().ended(event.unit.job())) quotas_->job_ended(event.unit.job());
  }
  [[nodiscard]] Key key(const Unit& job) const {
    return share_cell(dimensions_->dominant_share(job.job(), job.jobs()) / job.weight());
  }
  [[nodiscard]] std::optional<Target> target_of(const Unit& job) const {
    const double share = job.weight() * quotas_->level(job.job());
    return Target{.entitled = share, .target = share};
  }

 private:
  // From when the cluster is known.
  std::optional<Dimensions> dimensions_;
  mutable std::optional<Quotas> quotas_;  // reckons when it is asked
};
static_assert(Ranking<Drf>);

}  // namespace somnus
