// When samples are taken: at multiples of an interval, which doubles now and then, so that a run
// has some thousand of them however long it takes.
#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace somnus {

class SampleTimes {
 public:
  /// interval: 0: there are none. even: so many at that interval; then it doubles every 500.
  SampleTimes(Duration interval, std::uint64_t even) : interval_(interval), till_thinner_(even) {}

  /// The first of all, at the start of the run.
  void begin(Time start) { next_ = interval_ > Duration::zero() ? start : never; }
  /// So many have been taken before the run was resumed at that time.
  void go_on(std::uint64_t taken, Time now) {
    if (interval_ == Duration::zero()) return;
    for (; taken > 0; --taken) count();
    set_next(now);
  }

  /// Never: there is none.
  [[nodiscard]] Time next() const { return next_; }
  void taken(Time now) {
    count();
    set_next(now);
  }

 private:
  void count() {
    if (--till_thinner_ > 0) return;
    interval_ *= 2;
    till_thinner_ = a_doubling;
  }
  void set_next(Time now) { next_ = Time(((now - start_of_time) / interval_ + 1) * interval_); }

  static constexpr std::uint64_t a_doubling = 500;
  Duration interval_;
  std::uint64_t till_thinner_;
  Time next_ = never;
};

}  // namespace somnus
