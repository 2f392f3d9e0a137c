// How late the ranks of a run handle what is due.
//
// A rank sleeps until something is due or a message comes, wakes a little later, and handles all
// that is due by then: that is a look. Its lateness is that of the first thing that it handles.
// What becomes due meanwhile is handled at the same look, so nothing overtakes anything; a rank
// that was held up for long is late once for all that was due. So one number is drawn for each
// look, not for each message.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/histogram.hpp"
#include "base/random.hpp"
#include "base/time.hpp"

namespace somnus {

/// So many looks of a rank were that late, in real seconds.
struct LatenessCount {
  double up_to_s = 0;
  std::uint64_t looks = 0;
};

/// The least late first. speed: emulated seconds, as in the histogram, per real second.
[[nodiscard]] inline std::vector<LatenessCount> lateness_counts(const Histogram& emulated,
                                                                double speed) {
  std::vector<LatenessCount> all;
  emulated.for_each_bucket([&](Duration edge, std::uint64_t count) {
    all.push_back({.up_to_s = in_seconds(edge) / speed, .looks = count});
  });
  return all;
}

/// Why no rank can have measured them, a few words; empty if one can.
[[nodiscard]] inline std::string error_in(std::span<const LatenessCount> looks) {
  constexpr std::uint64_t most_looks = std::uint64_t{1} << 50;
  constexpr double longest_s = 1e9;
  if (looks.size() > Histogram::buckets) {
    return fmt::format("looks that were late by {} different times", looks.size());
  }
  double before_s = -1;
  for (const LatenessCount& one : looks) {
    const bool is_possible = one.up_to_s > before_s && one.up_to_s <= longest_s;  // not NaN
    if (!is_possible || one.looks == 0 || one.looks > most_looks) {
      return fmt::format("{} looks that were up to {} s late", one.looks, one.up_to_s);
    }
    before_s = one.up_to_s;
  }
  return {};
}

/// How late the looks of one rank are, as drawn from those that one was seen to have.
class Lateness {
 public:
  /// Never late.
  Lateness() = default;
  /// There must be no error_in() them. stretch: by how much all are longer.
  explicit Lateness(std::span<const LatenessCount> looks, double stretch = 1) {
    std::uint64_t so_far = 0;
    for (const LatenessCount& one : looks) {
      so_far += one.looks;
      steps_.push_back({so_far, seconds(one.up_to_s * stretch)});
    }
  }

  [[nodiscard]] Duration draw(RandomStream& stream) const {
    if (steps_.empty()) return {};
    const auto place = static_cast<std::uint64_t>(
        stream.integer(1, static_cast<std::int64_t>(steps_.back().looks)));
    return std::ranges::lower_bound(steps_, place, {}, &Step::looks)->late;
  }

 private:
  struct Step {
    std::uint64_t looks;  // that are at most so late
    Duration late;
  };
  std::vector<Step> steps_;
};

/// Of all ranks, rank 0 first: as an emulation on these would be late.
struct LateRanks {
  std::vector<Lateness> ranks;  // two at least
  std::uint64_t seed = 1;
};

}  // namespace somnus
