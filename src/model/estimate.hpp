// Estimates and instants as events and rows of the log have them: in seconds.
#pragma once

#include <algorithm>
#include <compare>
#include <limits>

#include "base/describe.hpp"
#include "base/time.hpp"
#include "model/limits.hpp"

namespace somnus {

/// A scheduler's estimate of a span; never the truth itself.
struct Estimate {
  double seconds = 0;

  /// That nobody asked for.
  [[nodiscard]] static constexpr Estimate none() {
    return {std::numeric_limits<double>::quiet_NaN()};
  }
  [[nodiscard]] constexpr bool known() const { return seconds == seconds; }
  friend bool operator==(const Estimate&, const Estimate&) = default;
};

/// An instant, in a row of the log: seconds since the run's start.
struct Moment {
  double seconds = 0;

  constexpr Moment() = default;
  // NOLINTBEGIN(google-explicit-constructor)
  constexpr Moment(Time time) : seconds(in_seconds(time)) {}
  constexpr operator Time() const { return at_seconds(seconds); }
  // NOLINTEND(google-explicit-constructor)
  friend bool operator==(const Moment&, const Moment&) = default;
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

/// What an estimate can be [s]: of a time, and of a stage's work. Those beyond count as the most.
inline constexpr Range estimable{.low = 0, .high = last_seconds};
inline constexpr Range estimable_work{.low = 0, .high = most_slot_time_s};
[[nodiscard]] inline Estimate within(Estimate estimate, const Range& range) {
  return {std::min(estimate.seconds, range.high)};
}

}  // namespace somnus
