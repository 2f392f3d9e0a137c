#include "warmup/warmup.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace somnus {
namespace {

// Exactly the base where nothing is added to it.
Duration stretched(const Taken& taken, double slowdown) {
  const double factor = slowdown * taken.factor;
  if (factor == 1 && taken.start == Duration::zero()) return taken.base;
  const double takes_s = in_seconds(taken.base) * factor + in_seconds(taken.start) * slowdown;
  return std::min(seconds(takes_s), longest_span);
}

}  // namespace

std::span<const WarmupRow> warmup_models() { return Registered<WarmupRow>::rows(); }

const WarmupRow* find_warmup(std::string_view name) {
  const auto found = std::ranges::find(warmup_models(), name, &WarmupRow::name);
  return found == warmup_models().end() ? nullptr : &*found;
}

Warmup::Warmup(std::string_view name, const Parameters& parameters) : row_(find_warmup(name)) {
  SOMNUS_CHECK(row_ != nullptr, "there is no warm-up model {}", name);
  made_ = std::make_shared<const Made>(Made{parameters, row_->make(parameters)});
}

Intended Warmup::worked_out(const TaskTimes& times, const Found& found, double slowdown) const {
  const Taken taken = made_->model(times, found);
  return {.time = stretched(taken, slowdown), .warm = taken.warm};
}

Duration Warmup::least(const TaskTimes& times, double slowdown) {
  return stretched({.base = std::min({times.nominal, times.first, times.fresh})}, slowdown);
}

}  // namespace somnus
