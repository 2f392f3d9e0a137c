// A set of dense indices that finds its first member at or after an index in a few steps, for any
// size: 64-ary levels of summary words.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace somnus {

class BitIndex {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  explicit BitIndex(std::uint32_t size) {
    std::size_t words = size > 0 ? size : 1;
    do {
      words = (words + 63) / 64;
      levels_.emplace_back(words, 0);
    } while (words > 1);
  }

  /// It keeps its members, and has room for at least that many. O(size) all in all, as a vector.
  void grow(std::uint32_t size) {
    if (size <= 64 * levels_[0].size()) return;
    const std::vector<std::uint64_t> members = std::move(levels_[0]);
    *this =
        BitIndex(std::max<std::uint32_t>(size, static_cast<std::uint32_t>(128 * members.size())));
    for (std::uint32_t word = 0; word < members.size(); ++word) {
      if (members[word] == 0) continue;
      insert(64 * word + static_cast<std::uint32_t>(std::countr_zero(members[word])));
      levels_[0][word] = members[word];
    }
  }

  [[nodiscard]] bool contains(std::uint32_t index) const {
    return (levels_[0][index / 64] >> (index % 64) & 1U) != 0;
  }
  [[nodiscard]] bool empty() const { return levels_.back()[0] == 0; }

  void insert(std::uint32_t index) {
    for (auto& level : levels_) {
      const std::uint64_t before = level[index / 64];
      level[index / 64] = before | std::uint64_t{1} << (index % 64);
      if (before != 0) return;  // the levels above know
      index /= 64;
    }
  }

  void erase(std::uint32_t index) {
    for (auto& level : levels_) {
      level[index / 64] &= ~(std::uint64_t{1} << (index % 64));
      if (level[index / 64] != 0) return;
      index /= 64;
    }
  }

  /// The least member >= from; none if there is none.
  [[nodiscard]] std::uint32_t first(std::uint32_t from = 0) const {
    std::size_t place = from;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      if (place / 64 >= levels_[level].size()) return none;
      const std::uint64_t rest = levels_[level][place / 64] >> (place % 64);
      if (rest == 0) {
        place = place / 64 + 1;
        continue;
      }
      place += static_cast<std::size_t>(std::countr_zero(rest));
      while (level > 0) {
        --level;
        place = place * 64 + static_cast<std::size_t>(std::countr_zero(levels_[level][place]));
      }
      return static_cast<std::uint32_t>(place);
    }
    return none;
  }

 private:
  std::vector<std::vector<std::uint64_t>> levels_;
};

}  // namespace somnus
