// How many slots are free when: a step function of time, which reservations are made of. All
// operations are O(log n) in its steps, but for earliest(), which may look at each time at which
// slots come back.
//
// The steps are nodes of a treap, in order of time; each knows the least and the most free slots
// below it, and what is still to be added to them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/time.hpp"

namespace somnus {

class SlotProfile {
 public:
  /// So many are free at all times.
  explicit SlotProfile(std::int64_t slots = 0);

  /// That many more are free from `begin` up to `end`; less than 0: are taken. Nothing if it is not
  /// before `end`. There may be fewer than none.
  void add(Time begin, Time end, std::int64_t slots);
  /// At all times.
  void add(std::int64_t slots);
  [[nodiscard]] std::int64_t at(Time moment) const;
  /// The first moment from `from` on at which so many are free, and stay so for so long; never:
  /// there is none.
  [[nodiscard]] Time earliest(Time from, Duration length, std::int64_t slots) const;
  /// The same, if it is before `until`; else never.
  [[nodiscard]] Time earliest(Time from, Time until, Duration length, std::int64_t slots) const;
  /// Since when there are as many free up to the moment, at which there are; not before `from`.
  [[nodiscard]] Time since(Time from, Time moment, std::int64_t slots) const;
  /// Forgets what was before that; asked about it, it says what is then.
  void forget_before(Time moment);
  [[nodiscard]] std::size_t steps() const { return steps_.size() - 1 - unused_.size(); }

 private:
  using Place = std::uint32_t;  // 0: none
  struct Step {
    Time begin = Time::min();
    std::int64_t free = 0;
    std::int64_t least = 0;  // of all below it, and itself
    std::int64_t most = 0;   // the same
    std::int64_t more = 0;   // to be added to those below it
    std::uint32_t priority = 0;
    Place left = 0;
    Place right = 0;
  };
  [[nodiscard]] Place make(Time begin, std::int64_t free);
  void change(Place step, std::int64_t slots);
  void hand_down(Place step);
  void sum_up(Place step);
  /// Those that begin before the moment, and the others.
  struct Halves {
    Place before;
    Place from;
  };
  [[nodiscard]] Halves split(Place root, Time moment);
  [[nodiscard]] Place join(Place before, Place after);
  void cut(Time moment);
  void join_equals(Time moment);
  void release(Place root);
  /// The first step from the one on that `moment` is in, with fewer than that many slots, or with
  /// that many at least; none: 0.
  enum class Which : std::uint8_t { fewer, enough };
  [[nodiscard]] Place last_with_fewer(Place root, Time moment, std::int64_t slots,
                                      std::int64_t more) const;
  [[nodiscard]] Time next(Time from, std::int64_t slots, Which which) const;
  [[nodiscard]] Place first(Place root, Time moment, std::int64_t slots, std::int64_t more,
                            Which which) const;

  std::vector<Step> steps_;
  std::vector<Place> unused_;
  Place root_ = 0;
  std::uint64_t draws_ = 0;
};

}  // namespace somnus
