// How long a partner has sent nothing, counting only time in which this process was able to
// receive: one that was itself stopped, swapped out or busy must not take its own absence for the
// other's.
#pragma once

#include <algorithm>

#include "transport/scaled_clock.hpp"

namespace somnus {

class Silence {
 public:
  void begins(RealTime now) { heard_ = listened_ = now; }
  void heard(RealTime now) {
    longest_ = std::max(longest_, of(now));
    heard_ = listened_ = now;
  }
  /// We listen, and there is nothing. Between two of these is at most a second, else we were away.
  void listened(RealTime now) {
    heard_ += away(now);
    listened_ = now;
  }

  /// Up to now.
  [[nodiscard]] RealDuration of(RealTime now) const { return now - heard_ - away(now); }
  [[nodiscard]] RealDuration longest(RealTime now) const { return std::max(longest_, of(now)); }

 private:
  static constexpr RealDuration longest_look = std::chrono::seconds(2);
  [[nodiscard]] RealDuration away(RealTime now) const {
    const RealDuration gap = now - listened_;
    return gap > longest_look ? gap : RealDuration{};
  }

  RealTime heard_;
  RealTime listened_;
  RealDuration longest_{};
};

}  // namespace somnus
