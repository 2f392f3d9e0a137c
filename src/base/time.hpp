// Emulated time: int64 nanoseconds since the run's start. It cannot be asked for: EmulatedTime has
// no now(). Time comes with each event; only src/runtime knows clocks.
#pragma once

#include <chrono>
#include <cstdint>

namespace somnus {

struct EmulatedTime {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<EmulatedTime>;
  static constexpr bool is_steady = true;
};

using Duration = EmulatedTime::duration;
using Time = EmulatedTime::time_point;

/// Later than anything that happens.
inline constexpr Time never = Time::max();
/// The run's start.
inline constexpr Time start_of_time{};

/// The longest span and latest instant that survive the way through a float64 of seconds exactly
/// (96 days); inputs beyond it are refused.
inline constexpr double longest_exact_seconds = 8.3e6;

/// Seconds as float64, for formulas, logs and people.
[[nodiscard]] constexpr double in_seconds(Duration span) {
  return static_cast<double>(span.count()) / 1e9;
}
[[nodiscard]] constexpr double in_seconds(Time time) { return in_seconds(time.time_since_epoch()); }

/// The nearest nanosecond to that many seconds. Exact inverse of in_seconds() up to
/// longest_exact_seconds; saturates far outside. NaN, which is what did not happen, is longer than
/// all.
[[nodiscard]] constexpr Duration seconds(double count) {
  const long double nanoseconds = static_cast<long double>(count) * 1e9L;  // a double would round
  const bool holds = nanoseconds < 9.2e18L;                                // false for NaN
  if (!holds) return Duration::max();
  if (nanoseconds <= -9.2e18L) return Duration::min();
  return Duration(static_cast<std::int64_t>(nanoseconds + (nanoseconds < 0 ? -0.5L : 0.5L)));
}
[[nodiscard]] constexpr Time at_seconds(double count) { return Time(seconds(count)); }

}  // namespace somnus
