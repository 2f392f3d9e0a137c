// must not compile: a ranking of pools has PoolKey
#include <vector>

#include "scheduler/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  [[nodiscard]] static std::uint32_t pool(const Unit&) { return 0; }
};

Ranked<Faulty> order{Faulty()};
