// A set of dense indices that finds its first member at or after an index in a few steps, for any
// size: 64-ary levels of summary words.
#pragma once

#include <algorithm>
#include <array>
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
    std::uint32_t words = std::max(size, std::uint32_t{1});
    do {
      words = (words - 1) / 64 + 1;
      starts_[levels_ + 1] = starts_[levels_] + words;
      ++levels_;
    } while (words > 1);
    words_.resize(starts_[levels_]);
  }

  /// It keeps its members, and has room for at least that many. O(size) all in all, as a vector.
  void grow(std::uint32_t size) {
    const std::uint32_t had = starts_[1];
    if (size <= std::size_t{64} * had) return;
    const std::vector<std::uint64_t> members = std::move(words_);
    *this = BitIndex(std::max<std::uint32_t>(size, 128 * had));
    for (std::uint32_t word = 0; word < had; ++word) {
      if (members[word] == 0) continue;
      insert(64 * word + lowest(members[word]));
      words_[word] = members[word];
    }
  }

  [[nodiscard]] bool contains(std::uint32_t index) const {
    return (words_[index / 64] >> (index % 64) & 1U) != 0;
  }
  [[nodiscard]] bool empty() const { return words_.back() == 0; }

  void insert(std::uint32_t index) {
    for (std::uint32_t level = 0; level < levels_; ++level) {
      std::uint64_t& word = words_[starts_[level] + index / 64];
      const bool known_above = word != 0;
      word |= std::uint64_t{1} << (index % 64);
      if (known_above) return;
      index /= 64;
    }
  }

  void erase(std::uint32_t index) {
    for (std::uint32_t level = 0; level < levels_; ++level) {
      std::uint64_t& word = words_[starts_[level] + index / 64];
      word &= ~(std::uint64_t{1} << (index % 64));
      if (word != 0) return;
      index /= 64;
    }
  }

  /// The least member >= from; none if there is none.
  [[nodiscard]] std::uint32_t first(std::uint32_t from = 0) const {
    if (from == 0) return empty() ? none : first_below(levels_, 0);
    std::uint32_t place = from;
    for (std::uint32_t level = 0; level < levels_; ++level) {
      const std::uint32_t at = starts_[level] + place / 64;
      if (at >= starts_[level + 1]) return none;
      if (const std::uint64_t rest = words_[at] >> (place % 64); rest != 0) {
        return first_below(level, place + lowest(rest));
      }
      place = place / 64 + 1;
    }
    return none;
  }

 private:
  /// Of the bits that are set; there must be one.
  [[nodiscard]] static std::uint32_t lowest(std::uint64_t word) {
    if (word == 0) __builtin_unreachable();
    return static_cast<std::uint32_t>(std::countr_zero(word));
  }
  /// Of those that a bit which is set stands for.
  [[nodiscard]] std::uint32_t first_below(std::uint32_t level, std::uint32_t place) const {
    while (level > 0) {
      --level;
      place = place * 64 + lowest(words_[starts_[level] + place]);
    }
    return place;
  }

  std::vector<std::uint64_t> words_;       // level after level, the members first
  std::array<std::uint32_t, 7> starts_{};  // of the levels in words_, and the end
  std::uint32_t levels_ = 0;
};

}  // namespace somnus
