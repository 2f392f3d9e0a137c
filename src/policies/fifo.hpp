// FIFO: first come, first served, as Spark's (policies.md 2.1).
//
// Key: when the job arrived; of jobs that arrived together the earlier id goes first, and inside a
// job the earlier stage, whether jobs (level = job) or stages (level = stage) are served. No
// estimates. Work conserving: later jobs get the slots that the first cannot use. Where resources
// count that makes it first-fit, and what is wide may starve.
#pragma once

#include "scheduler/ranking.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

struct Fifo {
  Level level = Level::job;

  static constexpr const char* on_resources =
      "Where tasks ask for resources, fifo is first-fit: later tasks that fit a node pass one that "
      "fits none, and while they come a wide task may starve.";
  static constexpr auto fields() {
    return in_order(field("level", &Fifo::level, "", "what is served in order of arrival"));
  }

  [[nodiscard]] static OrderTraits traits() { return {.on_resources = on_resources}; }

  using Key = Time;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit& unit) { return unit.arrival(); }
};
static_assert(Ranking<Fifo>);

}  // namespace somnus
