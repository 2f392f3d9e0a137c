// must not compile: config_errors\(\) of a ranking is
#include <vector>

#include "scheduler/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  [[nodiscard]] static std::vector<ConfigError> config_errors(const Cluster&) { return {}; }
};

Ranked<Faulty> order{Faulty()};
