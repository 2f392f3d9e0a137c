// REUSE: a slot holds one JVM, that of the app whose task it ran last. A task of the same app finds
// it warm and takes its nominal time; any other is cold and takes `factor` times as long. PAF's
// simulator has this rule (policies.md 5.2).
#include "warmup/warmup.hpp"

namespace somnus::model_reuse {
namespace {

struct ReuseWarmup {
  double factor = 1;

  static constexpr LooksAt looks_at = LooksAt::last_app;
  static constexpr const char* warm_when = "its last task was of the same app";
  static constexpr auto fields() { return in_order(cold_factor(&ReuseWarmup::factor)); }

  Taken operator()(const TaskTimes& times, const Found& found) const {
    if (found.app) return {.base = times.nominal, .warm = true};
    return {.base = times.nominal, .factor = times.warmup > 0 ? times.warmup : factor};
  }
};

const Registered<WarmupRow> row = warmup_model<ReuseWarmup>(
    "reuse", "a task is warm on a slot whose last task was of the same app",
    {{{"factor", 2}}, {{"factor", 3}}});

}  // namespace
}  // namespace somnus::model_reuse
