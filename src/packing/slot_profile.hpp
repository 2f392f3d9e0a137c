// How many slots are free when: a step function of time, which reservations are made of.
//
// The steps are in blocks, in order of time. A block knows the least and the most of its steps and
// what is to be added to all of them, so that what lies between two moments is a few steps and some
// whole blocks. A change of n steps takes O(block + n / block); a search walks through the blocks
// of which some steps have enough and others have not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.hpp"

namespace somnus {

class SlotProfile {
 public:
  static constexpr std::size_t usual_block = 256;

  /// So many are free at all times. block: the most steps of one, at least 2.
  explicit SlotProfile(std::int64_t slots = 0, std::size_t block = usual_block);

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
  [[nodiscard]] std::size_t steps() const;
  /// Calls visit(begin, free slots) for each step from the one that the moment is in, in order of
  /// time, until it returns false.
  template <class Visit>
  void for_each_step(Time from, Visit&& visit) const {
    for (auto [block, step] = find(from); block < blocks_.size(); ++block, step = 0) {
      const Block& one = blocks_[block];
      for (; step < one.steps.size(); ++step) {
        if (!visit(one.steps[step].begin, one.free(step))) return;
      }
    }
  }

 private:
  struct Step {
    Time begin;
    std::int64_t free;  // without its block's `more`
  };
  struct Block {
    std::vector<Step> steps;  // there is one
    std::int64_t more = 0;    // to be added to what they say
    std::int64_t least = 0;   // of what they say
    std::int64_t most = 0;
    void sum_up();
    [[nodiscard]] std::int64_t free(std::size_t step) const { return steps[step].free + more; }
  };
  struct Place {
    std::size_t block;
    std::size_t step;
  };
  /// The step that the moment is in.
  [[nodiscard]] Place find(Time moment) const;
  [[nodiscard]] Time end_of(std::size_t block) const;
  [[nodiscard]] Place cut(Time moment);
  void halve(std::size_t block);
  void add(std::size_t block, std::size_t from, std::size_t to, std::int64_t slots);
  void join_if_equal(Place place);

  std::size_t most_steps_;  // of a block
  std::vector<Block> blocks_;
  std::vector<Time> begins_;  // of their first steps
};

}  // namespace somnus
