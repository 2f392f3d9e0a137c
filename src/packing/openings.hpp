// Where slots are free for how long, in a part of a profile, for many that ask one after the other
// (policies.md 9.3).
//
// An opening of a width is a span in which at least so many slots are free, as long as it can be.
// Of each width those are kept that are longer than all that begin before them. Who gives slots
// back calls look(). Who takes some need not say so: first() asks the profile whether what it has
// found is still true, and looks again where it is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.hpp"
#include "packing/slot_profile.hpp"

namespace somnus {

class Openings {
 public:
  /// Forgets all openings; keeps the widths, so that one look serves all.
  void clear();
  /// Learns the openings of all widths of which some part is between the moments, from `begin` on.
  void look(const SlotProfile& profile, Time begin, Time from, Time to);
  struct Opening {
    Time begin;
    Duration length;
  };
  struct Width {
    std::int64_t slots;
    std::vector<Opening> openings;  // in order of begin, and of length
    Time open;                      // while looking: since when

    /// Whether any begins before the moment; it may not be true any more.
    [[nodiscard]] bool any(Time before) const {
      return !openings.empty() && openings.front().begin < before;
    }
  };
  /// The openings of that width. Valid until it is asked for another.
  [[nodiscard]] Width& of(std::int64_t slots, const SlotProfile& profile);
  /// The first moment, from `from` up to `until`, at which so many are free for so long; never:
  /// there is none. `from` is later than the first moment that was looked at, less `length`.
  [[nodiscard]] Time first(Width& width, Time from, Time until, Duration length,
                           const SlotProfile& profile);

 private:
  /// Of the widths from the first to the last.
  void look(const SlotProfile& profile, Time from, Time to, std::size_t first, std::size_t last);
  static void learn(std::vector<Opening>& openings, Opening one);

  std::vector<Width> widths_;  // in order
  Time begin_;
  Time from_ = never;  // looked from there
  Time to_ = Time::min();
};

}  // namespace somnus
