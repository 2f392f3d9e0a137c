// CFQ: Cluster Fair Queueing (Chen et al., INFOCOM 2017; policies.md 2.4).
//
// Idea: run GPS over the jobs in the background (src/fluid/gps.hpp) and serve first the job that
// would end first there. On arrival
//
//     F_j = V(a_j) + L_j / w_j          [slot-time]      (eq. 11)
//
// and its cell of the grid (base/grid.hpp) is the key, for good: a later arrival slows all jobs of
// the fluid alike and so never changes the order of the ends. With exact L_j and single-stage jobs
// no job ends later than in GPS by more than 2 l_max + L_max / M (Theorem 1), and since small jobs
// end early in GPS too, the mean response time comes close to SRPT's. Ties go to the earlier job.
#pragma once

#include <vector>

#include "fluid/gps.hpp"
#include "scheduler/ranking.hpp"

namespace somnus {

struct Cfq {
  Level level = Level::job;

  static constexpr auto fields() {
    return in_order(field("level", &Cfq::level, "",
                          "what has a virtual finish time: jobs (with job context) or stages"));
  }

  explicit Cfq(double slots) : gps(slots) {}

  using Key = Wide;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;

  [[nodiscard]] static OrderTraits traits() {
    return {.bound = FluidBound{.fluid = Fluid::gps,
                                .allowed_s =
                                    [](const BoundTerms& of) {
                                      return 2 * of.longest_task_s + of.largest_job_s / of.slots;
                                    },
                                .formula = "2 l_max + L_max / M",
                                .source = "Theorem 1",
                                .any_weights = false}};
  }

  void on(const Submitted& entered) {
    const Unit& unit = entered.unit;
    if (unit.index() >= finish.size()) finish.resize(std::size_t{unit.index()} + 1);
    finish[unit.index()] =
        on_grid(gps.arrive(unit.index(), entered.now, unit.slot_time(), unit.weight()));
  }
  [[nodiscard]] Key key(const Unit& unit) const { return finish[unit.index()]; }

  Gps gps;
  std::vector<Wide> finish;  // F by unit, cells
};
static_assert(Ranking<Cfq>);

}  // namespace somnus
