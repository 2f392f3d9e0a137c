// Whether values that came over a wire are possible: checked before they are used.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/describe.hpp"
#include "base/time.hpp"

namespace somnus {

/// The byte itself: what came from outside may be no value of its type, and must not be read as
/// one.
template <class T>
[[nodiscard]] std::uint8_t raw(const T& value) {
  static_assert(sizeof(T) == 1);
  std::uint8_t byte = 0;
  std::memcpy(&byte, &value, 1);
  return byte;
}

template <NamedEnum Enum>
[[nodiscard]] bool is_named(const Enum& value) {
  return std::ranges::any_of(EnumNames<Enum>::names,
                             [&](const auto& known) { return raw(known.first) == raw(value); });
}

/// Of something that happens; half of what there is, so that no sum overflows.
[[nodiscard]] inline bool is_moment(Time time) {
  constexpr Time earliest = start_of_time - std::chrono::hours(24);
  constexpr Time latest = Time(Duration::max() / 2);
  return time >= earliest && time <= latest;
}
/// The same, or never.
[[nodiscard]] inline bool is_time(Time time) { return time == never || is_moment(time); }
[[nodiscard]] inline bool is_duration(Duration span) {
  return span >= Duration::zero() && span <= Duration::max() / 2;
}

}  // namespace somnus
