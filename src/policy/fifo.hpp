// FIFO: first come, first served, as Spark's (policies.md 2.1).
//
// Key: the order of arrival of the job (level = job) or of the stage's job and number (level =
// stage); both are the order of the ids, so there is nothing more to compare. No estimates. Work
// conserving: later jobs get the slots that the first cannot use.
#pragma once

#include "policy/ranked.hpp"

namespace somnus {

struct Fifo {
  Level level = Level::job;

  static constexpr auto fields() {
    return std::tuple{field("level", &Fifo::level, "", "what is served in order of arrival")};
  }

  struct Key {
    friend constexpr bool operator<(Key, Key) { return false; }
  };
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return {}; }
};
static_assert(Ranking<Fifo>);

}  // namespace somnus
