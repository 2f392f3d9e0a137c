// must not compile: target_of\(\) of a ranking is `std::optional<Target> target_of
#include "scheduler/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  [[nodiscard]] static Target target_of(const Unit&) { return {}; }
};

Ranked<Faulty> order{Faulty()};
