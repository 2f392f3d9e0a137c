// LONGEST FIRST: the job with the most estimated slot-time is next; jobs of less than `least_s` are
// all alike, and go by their arrival.
#include <algorithm>

#include "scheduler/presets.hpp"
#include "scheduler/ranking.hpp"
#include "scheduler/rows.hpp"

namespace somnus::longest_first {
namespace {

struct LongestFirst {
  double least_s = 0;

  static constexpr auto fields() {
    return in_order(field("least_s", &LongestFirst::least_s, "slot-s", "smaller jobs are all alike",
                          not_negative));
  }

  static constexpr Level level = Level::job;
  using Key = Duration;
  static constexpr KeyMoves moves = KeyMoves::not_at_all;
  [[nodiscard]] Key key(const Unit& job) const {
    return -std::max(job.slot_time(), seconds(least_s));
  }
};
static_assert(Ranking<LongestFirst>);

const Registered<Part> order =
    rows::order<LongestFirst>("longest-first", "most estimated work first", "a recipe")
        .with_examples({{{"least_s", 3}}});
const Registered<Preset> preset =
    presets_of::spark("longest-first", "most estimated work first", "a recipe");

}  // namespace
}  // namespace somnus::longest_first
