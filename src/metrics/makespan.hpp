// The span over which a log's utilisation is averaged: from the first submit to the last end that
// a node measured.
#pragma once

#include <algorithm>
#include <cmath>

#include "log/log.hpp"

namespace somnus {

/// NaN where nothing was submitted or nothing started.
struct Makespan {
  double from = NAN;
  double to = NAN;

  [[nodiscard]] double length() const { return to - from; }
  /// From 10 % to 90 %, where ramping up and the last stragglers do not dilute utilisation.
  [[nodiscard]] Makespan middle() const {
    return {.from = from + 0.1 * length(), .to = from + 0.9 * length()};
  }
  /// How much of the time from `begin` to `end` lies in it.
  [[nodiscard]] double shared(double begin, double end) const {
    return std::max(0.0, std::min(end, to) - std::max(begin, from));
  }
};

[[nodiscard]] Makespan makespan_of(const Log& log);

}  // namespace somnus
