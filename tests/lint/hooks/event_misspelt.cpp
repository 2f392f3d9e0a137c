// must not compile: 'Submited' does not name a type|takes one of Configured, Submitted, Started,
// Ended and Changed
#include <vector>

#include "scheduler/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  void on(const Submited&) {}
};

Ranked<Faulty> order{Faulty()};
