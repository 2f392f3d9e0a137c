// The offset of another rank's steady clock from this one's, by pings: that of the smallest round
// trip of the last few, half of which is the uncertainty.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace somnus {

class ClockSync {
 public:
  /// A ping left at `sent`, was answered at `theirs` by the other clock, and was back at `back`;
  /// all in ns of steady clocks.
  void add(std::int64_t sent, std::int64_t theirs, std::int64_t back) {
    recent_[count_++ % recent_.size()] = {.round_trip = back - sent,
                                          .offset = theirs - sent - (back - sent) / 2};
  }
  /// How many pings have come back.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Theirs minus ours, ns.
  [[nodiscard]] std::int64_t offset() const { return best().offset; }
  /// The true offset is within that of offset(), ns; centuries before the first ping is back.
  [[nodiscard]] std::int64_t uncertainty() const { return best().round_trip / 2 + 1; }

 private:
  struct Sample {
    std::int64_t round_trip = std::numeric_limits<std::int64_t>::max();
    std::int64_t offset = 0;
  };
  [[nodiscard]] const Sample& best() const {
    return *std::ranges::min_element(recent_, {}, &Sample::round_trip);
  }

  std::array<Sample, 16> recent_;
  std::size_t count_ = 0;
};

}  // namespace somnus
