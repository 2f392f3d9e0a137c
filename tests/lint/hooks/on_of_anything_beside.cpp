// must not compile: takes one of Configured|has both changes_at
#include <vector>

#include "scheduler/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  void on(const Submitted&) {}
  void on(const auto&) {}
};

Ranked<Faulty> order{Faulty()};
