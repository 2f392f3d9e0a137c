// must not compile: has both changes_at\(\) and on\(const Changed&\), or neither
#include <vector>

#include "scheduler/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  [[nodiscard]] static Time change_at(const Unit&) { return never; }
  void on(const Changed&) {}
};

Ranked<Faulty> order{Faulty()};
