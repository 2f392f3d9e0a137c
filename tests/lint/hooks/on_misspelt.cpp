// must not compile: this ranking keeps a state and handles no event: is its on\(\) misspelt
#include <vector>

#include "scheduler/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  void om(const Submitted&) { state.clear(); }
  std::vector<double> state;
};

Ranked<Faulty> order{Faulty()};
