// The clock of `simulate`: it stands until the next thing is due, then is there. Until then the
// nodes go on by themselves.
#pragma once

#include <algorithm>

#include "base/error.hpp"
#include "base/time.hpp"

namespace somnus {

class VirtualClock {
 public:
  static constexpr bool foresees = true;

  explicit VirtualClock(Time start = start_of_time) : now_(start) {}

  [[nodiscard]] Time now() const { return now_; }

  template <class Nodes>
  Time wait(Time until, Nodes& nodes) {
    const Time woken = nodes.go_on(until);
    SOMNUS_CHECK(woken != never, "the virtual clock would wait for ever");
    return now_ = std::max(now_, woken);
  }

 private:
  Time now_;
};

}  // namespace somnus
