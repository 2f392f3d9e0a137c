// A curve through measured times: Ernest's form by non-negative least squares (Venkataraman et al.,
// NSDI 2016; PAF, section 3.1; policies.md 5.1).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace somnus {

/// What a job takes on so many slots.
struct TimeOnSlots {
  std::uint32_t slots = 1;
  double seconds = 0;
};

/// The coefficients a >= 0 of  seconds(x) = least (a0 + a1 x + a2 / x + a3 ln x),  where least is
/// the least of the times, which must be above 0. Errors count as shares of the time: else the time
/// on one slot, which is much the longest, would decide alone.
[[nodiscard]] std::array<double, 4> fit_ernest(std::span<const TimeOnSlots> times);

}  // namespace somnus
