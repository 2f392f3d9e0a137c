// FIRST TASK: the first task of an app in a slot takes `factor` times as long.
#include "warmup/warmup.hpp"

namespace somnus::model_first_task {
namespace {

struct FirstTaskWarmup {
  double factor = 2;

  static constexpr LooksAt looks_at = LooksAt::counts;
  static constexpr const char* warm_when = "it has run a task of the app since its node came up";
  static constexpr auto fields() { return in_order(cold_factor(&FirstTaskWarmup::factor)); }

  Taken operator()(const TaskTimes& times, const Found& found) const {
    if (found.ran > 0) return {.base = times.nominal, .warm = true};
    return {.base = times.nominal, .factor = factor};
  }
};

const Registered<WarmupRow> row = warmup_model<FirstTaskWarmup>(
    "first-task", "a task is cold where no task of its app has run", {{{"factor", 3}}});

}  // namespace
}  // namespace somnus::model_first_task
