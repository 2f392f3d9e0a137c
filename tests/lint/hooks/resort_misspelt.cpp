// must not compile: a ranking has resort_per_task exactly if
#include <vector>

#include "scheduler/ranked.hpp"

using namespace somnus;

struct Faulty {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  bool resort_pertask = true;
};

Ranked<Faulty> order{Faulty()};
