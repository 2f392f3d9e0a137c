// Hooks of a ranking: one that nobody would call is refused. Each case is compiled alone, after
// what stands before the first (compile_test.py).
#include <vector>

#include "scheduler/ranked.hpp"

using namespace somnus;

struct Least {
  static constexpr Level level = Level::job;
  using Key = double;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const Unit&) { return 0; }
};

// control: compiles
struct All {  // all hooks; if this stops compiling, the refusals below prove nothing
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

// changes_at_without_on: must not compile: has both changes_at\(\) and on\(const Changed&\), or
// neither
struct Faulty : Least {
  [[nodiscard]] static Time changes_at(const Unit&) { return never; }
};
Ranked<Faulty> order{Faulty()};

// event_misspelt: must not compile: 'Submited' does not name a type|takes one of Configured,
// Submitted, Started, Ended, Changed, Passed, Regrouped, RoundEnded and JobEnded
struct Faulty : Least {
  void on(const Submited&) {}
};
Ranked<Faulty> order{Faulty()};

// config_errors_of_a_wrong_type: must not compile: config_errors\(\) of a ranking is
struct Faulty : Least {
  [[nodiscard]] static std::vector<ConfigError> config_errors(const Cluster&) { return {}; }
};
Ranked<Faulty> order{Faulty()};

// on_changed_without_changes_at: must not compile: has both changes_at\(\) and on\(const
// Changed&\), or neither
struct Faulty : Least {
  [[nodiscard]] static Time change_at(const Unit&) { return never; }
  void on(const Changed&) {}
};
Ranked<Faulty> order{Faulty()};

// on_misspelt: must not compile: this ranking keeps a state and handles no event: is its on\(\)
// misspelt
struct Faulty : Least {
  void om(const Submitted&) { state.clear(); }
  std::vector<double> state;
};
Ranked<Faulty> order{Faulty()};

// on_of_a_changeable_event_beside: must not compile: takes one of Configured, Submitted, Started,
// Ended, Changed, Passed, Regrouped, RoundEnded and JobEnded by const reference
struct Faulty : Least {
  void on(const Submitted&) {}
  void on(Ended&) {}
};
Ranked<Faulty> order{Faulty()};

// on_of_a_wrong_type: must not compile: takes one of Configured, Submitted, Started, Ended,
// Changed, Passed, Regrouped, RoundEnded and JobEnded by const reference
struct Faulty : Least {
  void on(int) {}
};
Ranked<Faulty> order{Faulty()};

// on_of_another_event_beside: must not compile: takes one of Configured, Submitted, Started, Ended,
// Changed, Passed, Regrouped, RoundEnded and JobEnded by const reference
struct Faulty : Least {
  void on(const Submitted&) {}
  void on(const TaskEnded&) {}
};
Ranked<Faulty> order{Faulty()};

// on_of_anything_beside: must not compile: takes one of Configured|has both changes_at
struct Faulty : Least {
  void on(const Submitted&) {}
  void on(const auto&) {}
};
Ranked<Faulty> order{Faulty()};

// on_of_nothing_beside: must not compile: takes one of Configured, Submitted, Started, Ended,
// Changed, Passed, Regrouped, RoundEnded and JobEnded by const reference
struct Faulty : Least {
  void on(const Submitted&) {}
  void on() {}
};
Ranked<Faulty> order{Faulty()};

// on_of_two_other_events_beside: must not compile: takes one of Configured, Submitted, Started,
// Ended, Changed, Passed, Regrouped, RoundEnded and JobEnded by const reference
struct Faulty : Least {
  void on(const Submitted&) {}
  void on(const TaskEnded&) {}
  void on(NodeOffered) {}
};
Ranked<Faulty> order{Faulty()};

// on_with_more_beside: must not compile: takes one of Configured, Submitted, Started, Ended,
// Changed, Passed, Regrouped, RoundEnded and JobEnded by const reference
struct Faulty : Least {
  void on(const Submitted&) {}
  void on(const Ended&, StageId) {}
};
Ranked<Faulty> order{Faulty()};

// pool_without_its_key: must not compile: a ranking of pools has PoolKey
struct Faulty : Least {
  [[nodiscard]] static std::uint32_t pool(const Unit&) { return 0; }
};
Ranked<Faulty> order{Faulty()};

// resort_misspelt: must not compile: a ranking has resort_per_task exactly if
struct Faulty : Least {
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;
  bool resort_pertask = true;
};
Ranked<Faulty> order{Faulty()};

// target_of_a_wrong_type: must not compile: target_of\(\) of a ranking is `std::optional<Target>
// target_of
struct Faulty : Least {
  [[nodiscard]] static Target target_of(const Unit&) { return {}; }
};
Ranked<Faulty> order{Faulty()};

// traits_not_const: must not compile: traits\(\) of a ranking is
struct Faulty : Least {
  [[nodiscard]] OrderTraits traits() { return {}; }
};
Ranked<Faulty> order{Faulty()};

// wakes_at_of_a_wrong_type: must not compile: wakes_at\(\) of a ranking is `Time wakes_at
struct Faulty : Least {
  [[nodiscard]] static double wakes_at() { return 1; }
};
Ranked<Faulty> order{Faulty()};

// tier_of_a_wrong_type: must not compile: tier\(\) of a ranking is `std::uint32_t tier
struct Faulty : Least {
  [[nodiscard]] static double tier(const Unit&) { return 1; }
};
Ranked<Faulty> order{Faulty()};

// promises_of_a_ranking: must not compile: are an Order.s. nobody asks a ranking
struct Faulty : Least {
  [[nodiscard]] static int promises() { return 0; }
};
Ranked<Faulty> order{Faulty()};
