// What a packer sees of a profile at a moment: how much is free from now on without a break, up to
// each moment at which something begins that was there before the packing. Between these room only
// grows, since what the packer itself has started begins no later than now.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "packing/profile.hpp"

namespace somnus {

class ProfileView {
 public:
  /// Of a profile to be packed into; before any move_to().
  void begin(const Profile& space);
  /// Moments must not go back.
  void move_to(const Profile& space, Duration now);
  /// The packer has started these now.
  void take(Duration end, DemandSpan demand, std::uint32_t tasks);

  /// At this moment, by kind.
  [[nodiscard]] std::span<const double> free() const { return free_; }
  /// How many tasks, of `most` at once, have room from now up to `end`. One always has where
  /// nothing else is, though it be larger than the pool.
  [[nodiscard]] std::uint32_t room(Duration end, DemandSpan demand, std::uint32_t most) const;

 private:
  void forget_least();
  [[nodiscard]] const Wide* least_up_to(std::size_t moment) const;

  std::size_t kinds_ = 0;
  std::vector<Duration> moments_;    // now, and those at which something begins, in order
  std::vector<Wide> amounts_;        // free, by moment and kind
  mutable std::vector<Wide> least_;  // from now up to a moment, by moment and kind
  mutable std::size_t known_ = 0;    // of these, moments
  std::vector<double> free_;         // now, by kind
  bool is_empty_ = false;            // now
};

}  // namespace somnus
