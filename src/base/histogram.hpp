// Counts of non-negative durations in buckets 3 % wide, for quantiles of millions of latencies in
// fixed memory.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace somnus {

class Histogram {
 public:
  static constexpr std::size_t buckets = 60 * 32;

  void add(std::chrono::nanoseconds value) {
    ++count_;
    if (value > most_) most_ = value;
    ++counts_[bucket(value.count() < 0 ? 0 : static_cast<std::uint64_t>(value.count()))];
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::chrono::nanoseconds most() const { return most_; }
  /// Calls visit(edge, count) for each bucket that holds any, the least values first; edge: its
  /// upper one, at most the largest value seen.
  template <class Visit>
  void for_each_bucket(Visit&& visit) const {
    for (std::size_t at = 0; at < counts_.size(); ++at) {
      if (counts_[at] == 0) continue;
      visit(std::min(std::chrono::nanoseconds(upper_edge(at)), most_), counts_[at]);
    }
  }
  /// The upper edge of the bucket that holds it, at most the largest value seen; 0 if empty.
  [[nodiscard]] std::chrono::nanoseconds quantile(double q) const {
    if (count_ == 0) return {};
    const auto rank = static_cast<std::uint64_t>(q * static_cast<double>(count_ - 1));
    std::uint64_t seen = 0;
    for (std::size_t at = 0; at < counts_.size(); ++at) {
      seen += counts_[at];
      if (seen > rank) {
        const auto edge = std::chrono::nanoseconds(upper_edge(at));
        return edge < most_ ? edge : most_;
      }
    }
    return most_;
  }

 private:
  static constexpr std::uint64_t steps = 32;  // per doubling

  static std::size_t bucket(std::uint64_t value) {
    if (value < steps) return value;
    const auto shift = static_cast<std::uint64_t>(std::bit_width(value)) - 6;  // keeps six bits
    return static_cast<std::size_t>((shift + 1) * steps + (value >> shift) - steps);
  }
  static std::int64_t upper_edge(std::size_t at) {
    if (at < steps) return static_cast<std::int64_t>(at);
    const std::uint64_t shift = at / steps - 1;
    return static_cast<std::int64_t>(((at % steps + steps + 1) << shift) - 1);
  }

  std::array<std::uint64_t, buckets> counts_{};
  std::uint64_t count_ = 0;
  std::chrono::nanoseconds most_{};
};

}  // namespace somnus
