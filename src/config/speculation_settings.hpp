// [speculation]: backups of attempts that take long.
#pragma once

#include "base/describe.hpp"
#include "base/time.hpp"

namespace somnus {

struct SpeculationSettings {
  double slowdown = 0;
  double quantile = 0.75;
  double least_s = 0.1;

  static constexpr auto fields() {
    using S = SpeculationSettings;
    return in_order(
        field("slowdown", &S::slowdown, "x",
              "an attempt gets a backup once it takes that many times the median of those of its "
              "stage that have finished; 0: never",
              Range{.low = 0, .high = 1000}),
        field("quantile", &S::quantile, "1",
              "share of a stage's tasks that must have finished before, and at least one",
              probability),
        field("least_s", &S::least_s, "s", "no attempt gets one before it has taken that long",
              Range{.low = 0, .high = longest_exact_seconds}));
  }
};

}  // namespace somnus
