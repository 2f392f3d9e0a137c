// Generated times are whole milliseconds: nobody needs more, and the files stay readable.
#pragma once

#include <algorithm>
#include <cmath>

namespace somnus {

[[nodiscard]] inline double to_milliseconds(double seconds) {
  return std::round(seconds * 1000) / 1000;
}

/// For durations: never rounded down to nothing.
[[nodiscard]] inline double to_milliseconds_of_work(double seconds) {
  return std::max(0.001, to_milliseconds(seconds));
}

}  // namespace somnus
