// must not compile: are an Order.s; nobody asks a ranking
#include <vector>

#include "scheduler/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  [[nodiscard]] static Time wakes_at() { return never; }
};

Ranked<Faulty> order{Faulty()};
