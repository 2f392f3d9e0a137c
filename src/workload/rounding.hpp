// Generated times are whole milliseconds, or microseconds where they add up to a given whole:
// that is precise enough, and the files stay readable.
#pragma once

#include <algorithm>
#include <cmath>

namespace somnus {

[[nodiscard]] inline double to_milliseconds(double seconds) {
  return std::round(seconds * 1000) / 1000;
}

[[nodiscard]] inline double to_millionths(double number) { return std::round(number * 1e6) / 1e6; }

/// For durations: never rounded down to nothing.
[[nodiscard]] inline double to_milliseconds_of_work(double seconds) {
  return std::max(0.001, to_milliseconds(seconds));
}

}  // namespace somnus
