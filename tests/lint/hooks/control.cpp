// compiles
// A ranking with all hooks. If this stops compiling, the refusals beside it prove nothing.
#include <vector>

#include "scheduler/ranked.hpp"

using namespace somnus;

struct All {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;
  static constexpr bool resort_per_task = true;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
  using PoolKey = double;
  static constexpr PoolKey closed = infinity;
  [[nodiscard]] static std::uint32_t pool(const Unit&) { return 0; }
  [[nodiscard]] static PoolKey pool_key(const Unit&) { return 0; }
  [[nodiscard]] static Time changes_at(const Unit&) { return never; }
  [[nodiscard]] static std::optional<Target> target_of(const Unit&) { return Target(); }
  void on(const Configured&) {}
  void on(const Submitted& entered) { entered.moved(JobId(0U)); }
  void on(const Ended&) {}
  void on(const Changed&) {}
  std::vector<double> state;
};

Ranked<All> order{All()};
