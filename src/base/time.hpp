// Emulated time: int64 nanoseconds since the run's start. It cannot be asked for: EmulatedTime has
// no now(). Time comes with each event; only src/runtime knows clocks.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
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
[[nodiscard]] constexpr Time earliest(Time time, std::same_as<Time> auto... others) {
  ((time = std::min(time, others)), ...);
  return time;
}
/// The run's start.
inline constexpr Time start_of_time{};

/// The longest span and latest instant that survive the way through a float64 of seconds exactly
/// (96 days). No span that is given may be longer. Instants may be later; logs say the nanoseconds
/// of these beside their seconds.
inline constexpr double longest_exact_seconds = 8.3e6;
/// The latest instant that may be given (31 years).
inline constexpr double last_given_seconds = 1e9;
/// When every run is over (63 years), and the longest span. So spans can be added to instants, and
/// a few to each other, within what a Duration holds (292 years).
inline constexpr double last_seconds = 2e9;

namespace detail {
/// As in_seconds(), also of what is below 0, and of what a float64 does not hold: through one would
/// round twice.
[[nodiscard, gnu::cold, gnu::noinline]] constexpr double many_in_seconds(std::int64_t ns) {
  constexpr std::int64_t least_exact = -(std::int64_t{1} << 53);
  if (least_exact <= ns && ns < 0) return static_cast<double>(ns) / 1e9;
  return static_cast<double>(static_cast<long double>(ns) / 1e9L);
}
}  // namespace detail

/// Seconds as float64, for formulas, logs and people: the nearest one.
[[nodiscard]] constexpr double in_seconds(Duration span) {
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;  // as a float64
  const std::int64_t ns = span.count();
  const bool holds = static_cast<std::uint64_t>(ns) <= exact;  // and is not below 0
  if (!holds) [[unlikely]]
    return detail::many_in_seconds(ns);
  return static_cast<double>(ns) / 1e9;
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

/// Every instant until then survives that way.
inline constexpr Time last_exact_instant = at_seconds(longest_exact_seconds);
/// No span of a run is longer.
inline constexpr Duration longest_span = seconds(last_seconds);

/// Of spans not below 0: their sum, as far as it does not matter how much longer it is than
/// anything can last.
[[nodiscard]] constexpr Duration capped_sum(Duration a, Duration b) {
  return std::min(a, longest_span) + std::min(b, longest_span);
}
[[nodiscard]] constexpr Duration capped_product(Duration span, std::int64_t times) {
  return times > 0 && span > longest_span / times ? longest_span : span * times;
}

}  // namespace somnus
