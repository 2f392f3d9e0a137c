// FIFO: first come, first served, as Spark's (policies.md 2.1).
//
// Key: when the job arrived; of jobs that arrived together the earlier id goes first, and inside a
// job the earlier stage, whether jobs (level = job) or stages (level = stage) are served. No
// estimates. Work conserving: later jobs get the slots that the first cannot use.
#pragma once

#include "policy/ranking.hpp"

namespace somnus {

struct Fifo {
  Level level = Level::job;

  static constexpr auto fields() {
    return in_order(field("level", &Fifo::level, "", "what is served in order of arrival"));
  }

  using Key = Time;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit& unit) { return unit.arrival(); }
};
static_assert(Ranking<Fifo>);

}  // namespace somnus
