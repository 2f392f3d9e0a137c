// How a rank waits for packets. MPI has no way to sleep until one comes, so a rank polls, sleeps a
// little and polls again: the first polls follow closely, later ones at most `longest` apart. With
// a core of its own it spins instead.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "transport/scaled_clock.hpp"

namespace somnus {

class Backoff {
 public:
  Backoff(bool spin, RealDuration longest) : spin_(spin), longest_(longest) {}

  /// Something came: look closely again.
  void refresh() { next_ = shortest; }

  /// Sleeps for the next step, or until `deadline` if that is earlier.
  void wait(RealTime deadline) {
    if (spin_) return;
    const RealTime now = ScaledClock::real_now();
    if (now >= deadline) return;
    std::this_thread::sleep_until(std::min(deadline, now + std::min(next_, longest_)));
    next_ = std::min(next_ * 2, longest_);
  }

 private:
  static constexpr RealDuration shortest = std::chrono::microseconds(5);
  bool spin_;
  RealDuration longest_;
  RealDuration next_ = shortest;
};

}  // namespace somnus
