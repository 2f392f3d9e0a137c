#include "warmup/warmup.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "warmup/executor.hpp"
#include "warmup/measured.hpp"
#include "warmup/none.hpp"
#include "warmup/reuse.hpp"

namespace somnus {
namespace {

/// A row of the table, with the defaults of a fresh model.
template <WarmupModel M>
WarmupRow model(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .looks_at = M::looks_at,
          .warm_when = M::warm_when,
          .parameters = parameters_of(M()),
          .make = [](const Parameters& given) -> WarmupRow::Model {
            M made;
            apply_parameters(made, given);
            return made;
          }};
}

// Exactly the base where nothing is added to it.
Duration stretched(const Taken& taken, double slowdown) {
  const double factor = slowdown * taken.factor;
  if (factor == 1 && taken.start == Duration::zero()) return taken.base;
  const double takes_s = in_seconds(taken.base) * factor + in_seconds(taken.start) * slowdown;
  return std::min(seconds(takes_s), longest_span);
}

}  // namespace

std::span<const WarmupRow> warmup_models() {
  static const std::array<WarmupRow, 4> table = {
      model<NoWarmup>("none", "a task takes its nominal time wherever it runs"),
      model<ReuseWarmup>("reuse", "a task is warm on a slot whose last task was of the same app"),
      model<ExecutorWarmup>("executor",
                            "each app has a JVM of its own in each slot that ran a task of it, "
                            "which starts, then warms up with each task"),
      model<MeasuredWarmup>("measured",
                            "the workload lists what each task takes after one of another app, "
                            "another stage, and the same stage"),
  };
  return table;
}

const WarmupRow* find_warmup(std::string_view name) {
  const auto found = std::ranges::find(warmup_models(), name, &WarmupRow::name);
  return found == warmup_models().end() ? nullptr : &*found;
}

Warmup::Warmup(std::string_view name, const Parameters& parameters) : row_(find_warmup(name)) {
  SOMNUS_CHECK(row_ != nullptr, "there is no warm-up model {}", name);
  made_ = std::make_shared<const Made>(Made{parameters, row_->make(parameters)});
}

Intended Warmup::intended(const TaskTimes& times, const Found& found, double slowdown) const {
  const Taken taken = made_->model(times, found);
  return {.time = stretched(taken, slowdown), .warm = taken.warm};
}

Duration Warmup::least(const TaskTimes& times, double slowdown) {
  return stretched({.base = std::min({times.nominal, times.first, times.fresh})}, slowdown);
}

}  // namespace somnus
