// must not compile: misfits\(\) of a ranking is
#include <vector>

#include "policy/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  [[nodiscard]] static std::vector<Misfit> misfits(const Cluster&) { return {}; }
};

Ranked<Faulty> order{Faulty()};
