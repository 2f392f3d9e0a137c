// NONE: a task takes its nominal time wherever it runs.
#pragma once

#include "warmup/model.hpp"

namespace somnus {

struct NoWarmup {
  static constexpr LooksAt looks_at = LooksAt::nothing;
  static constexpr const char* warm_when = "never";
  static constexpr auto fields() { return in_order(); }

  Taken operator()(const TaskTimes& times, const Found&) const { return {.base = times.nominal}; }
};
static_assert(WarmupModel<NoWarmup>);

}  // namespace somnus
