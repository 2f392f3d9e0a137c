// What counts as one instant in a fluid, whose times are sums that were rounded.
#pragma once

#include <algorithm>

namespace somnus {

/// The latest time that is no later than `now` but for rounding; seconds.
[[nodiscard]] inline double same_instant(double now) { return now + 1e-12 * std::max(1.0, now); }

}  // namespace somnus
