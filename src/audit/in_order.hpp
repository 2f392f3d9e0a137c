// Launches and ends in the order in which the scheduler decided and heard them.
#pragma once

#include <cstddef>
#include <limits>

#include "audit/audit.hpp"

namespace somnus::audit {

/// Of a log with events and decisions. A round's ends come before its decisions.
class InOrder {
 public:
  /// The facts must outlive it.
  explicit InOrder(const Facts& facts)
      : launches_(facts.launches), ends_(facts.log.events.get<Stamped<TaskEnded>>()) {}

  /// Calls launched(launch) and ended(end) for each before that decision that it has not had yet.
  template <class Launched, class Ended>
  void up_to(const Stamp& decision, Launched&& launched, Ended&& ended) {
    for (; launch_ < launches_.size() && launches_[launch_].number < decision.number; ++launch_) {
      hear(launches_[launch_].round, ended);
      launched(launches_[launch_]);
    }
    hear(decision.round, ended);
  }
  /// All others.
  template <class Launched, class Ended>
  void to_the_end(Launched&& launched, Ended&& ended) {
    constexpr auto last = std::numeric_limits<std::uint32_t>::max();
    Stamp end;
    end.number = last;
    end.round = last;
    up_to(end, launched, ended);
  }

 private:
  template <class Ended>
  void hear(std::uint32_t round, Ended&& ended) {
    for (; end_ < ends_.size() && ends_[end_].round <= round; ++end_) ended(ends_[end_]);
  }

  const std::vector<Stamped<Launch>>& launches_;
  const std::vector<Stamped<TaskEnded>>& ends_;
  std::size_t launch_ = 0;
  std::size_t end_ = 0;
};

}  // namespace somnus::audit
