// The clock of `simulate`: it stands until the next thing is due, then is there.
#pragma once

#include "base/error.hpp"
#include "base/time.hpp"

namespace somnus {

class VirtualClock {
 public:
  static constexpr bool foresees = true;

  explicit VirtualClock(Time start = start_of_time) : now_(start) {}

  [[nodiscard]] Time now() const { return now_; }

  template <class AnyTransport>
  Time wait(Time until, AnyTransport&) {
    SOMNUS_CHECK(until != never, "the virtual clock would wait for ever");
    if (until > now_) now_ = until;
    return now_;
  }

 private:
  Time now_;
};

}  // namespace somnus
