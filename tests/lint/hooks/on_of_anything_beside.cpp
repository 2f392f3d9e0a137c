// must not compile: takes one of Settled|has both changes_at
#include <vector>

#include "policy/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  void on(const Entered&) {}
  void on(const auto&) {}
};

Ranked<Faulty> order{Faulty()};
