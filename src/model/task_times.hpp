// What a task really takes on a normal node, by what its slot ran before: all that a node needs to
// work out how long to sleep (src/warmup).
#pragma once

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
};

}  // namespace somnus
