// What a task really takes on a normal node, by what its slot ran before: all that a node needs to
// work out how long to sleep (src/warmup).
#pragma once

#include "base/grid.hpp"
#include "base/time.hpp"

namespace somnus {

struct TaskTimes {
  Duration nominal{};  // warm
  Duration first{};    // measured where the slot's last task was of another stage of its app
  Duration fresh{};    // measured where that was of another app, or there was none
  double warmup = 0;   // the job's own cold / warm factor; 0: the config's

  /// Of a workload that has nothing measured.
  [[nodiscard]] static constexpr TaskTimes alike(Duration nominal, double warmup = 0) {
    return {.nominal = nominal, .first = nominal, .fresh = nominal, .warmup = warmup};
  }

  /// What is left to do after an attempt that was to take `meant` has run for `ran`: the same
  /// part of each, rounded up to whole ns.
  [[nodiscard]] constexpr TaskTimes after(Duration ran, Duration meant) const {
    const auto left = [&](Duration whole) {
      if (ran >= meant) return Duration::zero();
      const auto done = Wide{whole.count()} * ran.count() / meant.count();
      return whole - Duration(static_cast<Duration::rep>(done));
    };
    return {.nominal = left(nominal), .first = left(first), .fresh = left(fresh), .warmup = warmup};
  }
};

}  // namespace somnus
