// NONE: a task takes its nominal time wherever it runs.
#include "warmup/warmup.hpp"

namespace somnus::model_none {
namespace {

struct NoWarmup {
  static constexpr LooksAt looks_at = LooksAt::nothing;
  static constexpr bool nominal = true;
  static constexpr const char* warm_when = "never";
  static constexpr auto fields() { return in_order(); }

  Taken operator()(const TaskTimes& times, const Found&) const { return {.base = times.nominal}; }
};

const Registered<WarmupRow> row =
    warmup_model<NoWarmup>("none", "a task takes its nominal time wherever it runs");

}  // namespace
}  // namespace somnus::model_none
