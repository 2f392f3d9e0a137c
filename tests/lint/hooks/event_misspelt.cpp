// must not compile: 'Enterd' does not name a type|takes one of Settled, Entered, Started, Ended
// and Changed
#include <vector>

#include "policy/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  void on(const Enterd&) {}
};

Ranked<Faulty> order{Faulty()};
