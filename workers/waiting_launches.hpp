// The launches of tasks that wait in a node's queue. The queue sees of them no more than a job's
// manager knows.
#pragma once

#include <cstdint>
#include <vector>

#include "model/message.hpp"

namespace somnus {

class WaitingLaunches {
 public:
  /// Returns where it is kept.
  std::uint32_t keep(const LaunchMessage& launch) {
    if (unused_.empty()) {
      launches_.push_back(launch);
      return static_cast<std::uint32_t>(launches_.size() - 1);
    }
    const std::uint32_t place = unused_.back();
    unused_.pop_back();
    launches_[place] = launch;
    return place;
  }
  [[nodiscard]] LaunchMessage take(std::uint32_t place) {
    unused_.push_back(place);
    return launches_[place];
  }

 private:
  std::vector<LaunchMessage> launches_;
  std::vector<std::uint32_t> unused_;
};

}  // namespace somnus
