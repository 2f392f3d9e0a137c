#include "export/lanes.hpp"

namespace somnus {

std::uint32_t Lanes::take(std::int64_t begin, std::int64_t end) {
  for (; !busy_.empty() && busy_.top().first <= begin; busy_.pop()) {
    free_.insert(busy_.top().second);
  }
  const std::uint32_t lane = free_.empty() ? count_++ : *free_.begin();
  free_.erase(lane);
  busy_.emplace(end, lane);
  return lane;
}

}  // namespace somnus
