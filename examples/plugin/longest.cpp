// longest: the job with the most estimated work left first. A poor idea, which is quickly seen.
#include "plugins/plugin.hpp"

SOMNUS_PLUGIN("my parts", "0.1");

namespace {

struct Longest {
  somnus::Level level = somnus::Level::job;

  static constexpr auto fields() {
    return somnus::in_order(somnus::field("level", &Longest::level, "", "what is ranked"));
  }
  using Key = double;  // the least first
  static constexpr somnus::KeyMoves moves = somnus::KeyMoves::when_tasks_end;
  [[nodiscard]] static Key key(const somnus::Unit& unit) {
    return -unit.work_left_of_job().in_ns();
  }
};
static_assert(somnus::Ranking<Longest>);

const somnus::Registered<somnus::Part> longest =
    somnus::rows::order<Longest>("longest", "most estimated work left first", "an example");

}  // namespace
