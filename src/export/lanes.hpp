// Lanes side by side in a drawing, so that spans of one lane do not overlap.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace somnus {

/// For spans in order of their beginnings: each gets the lowest lane that is free by then. So there
/// are as many lanes as spans at once at most.
class Lanes {
 public:
  /// Of a span [begin, end), in any unit.
  std::uint32_t take(std::int64_t begin, std::int64_t end);

  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  using Busy = std::pair<std::int64_t, std::uint32_t>;  // until then
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy_;
  std::set<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

}  // namespace somnus
