#include "metrics/better.hpp"

#include <algorithm>
#include <array>

namespace somnus {
namespace {

// By how names begin.
constexpr std::array<std::string_view, 26> less_is_better = {
    "response_",         "jct_",
    "slowdown_",         "narrow_response_",
    "narrow_slowdown_",  "medium_response_",
    "medium_slowdown_",  "wide_response_",
    "wide_slowdown_",    "wait_",
    "bounded_slowdown_", "queuing_",
    "makespan_s",        "capacity_lost",
    "jobs_failed",       "jobs_timed_out",
    "jobs_unfinished",   "tasks_failed",
    "tasks_unfinished",  "attempts_failed",
    "attempts_lost",     "attempts_killed",
    "killed_s",          "wasted_s",
    "placement_",        "decision_"};
constexpr std::array<std::string_view, 6> more_is_better = {"jobs_finished",   "tasks_finished",
                                                            "jobs_per_minute", "progress_",
                                                            "warm_share",      "reservations_kept"};

}  // namespace

Better better_of(std::string_view figure) {
  const auto begins = [&](std::string_view name) { return figure.starts_with(name); };
  if (std::ranges::any_of(less_is_better, begins)) return Better::less;
  if (std::ranges::any_of(more_is_better, begins)) return Better::more;
  return Better::neither;
}

}  // namespace somnus
