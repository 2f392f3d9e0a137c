// Real time, scaled: emulated now = (steady clock - start) * speed, never accumulated.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/time.hpp"

namespace somnus {

using RealTime = std::chrono::steady_clock::time_point;
using RealDuration = std::chrono::nanoseconds;

class ScaledClock {
 public:
  ScaledClock(RealTime start, double speed) : start_(start), speed_(speed) {}

  [[nodiscard]] static RealTime real_now() { return std::chrono::steady_clock::now(); }
  [[nodiscard]] Time now() const { return emulated(real_now()); }
  [[nodiscard]] double speed() const { return speed_; }

  [[nodiscard]] Time emulated(RealTime real) const {
    constexpr double last_ns = 4e18;  // twice what a run may last; spans can still be added
    const auto passed = static_cast<double>((real - start_).count());
    return Time(Duration(static_cast<std::int64_t>(std::min(passed * speed_, last_ns))));
  }
  /// The first real instant at which emulated() has reached `time`; far in the future for never.
  [[nodiscard]] RealTime real(Time time) const {
    constexpr double far_ns = 3e17;  // ten years
    const double wanted = static_cast<double>(time.time_since_epoch().count()) / speed_;
    if (wanted > far_ns) return start_ + RealDuration(static_cast<std::int64_t>(far_ns));
    return start_ + RealDuration(static_cast<std::int64_t>(wanted) + 1);
  }

 private:
  RealTime start_;
  double speed_;
};

}  // namespace somnus
