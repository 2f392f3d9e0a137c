// Deadlines of a clock that only goes on: a hierarchical timing wheel over whole nanoseconds
// (Varghese and Lauck, 1987), as exact as a heap.
//
// A deadline waits in the wheel of the highest six bits in which it differs from the last one that
// was taken, in the slot of its own six bits there; a bit for each slot finds the first in use.
// What waits on a higher wheel comes after all that waits below it. When no deadline is near, the
// first slot is emptied: a few entries become those that are near, in a heap, and more of them are
// spread over the wheels below. So each entry moves at most once a wheel, and mostly once or twice.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/time.hpp"

namespace somnus {

class TimingWheel {
 public:
  [[nodiscard]] bool empty() const { return near_.empty() && wheels_in_use_ == 0; }
  /// The least deadline; never if there is none. O(1).
  [[nodiscard]] Time next() const {
    if (!near_.empty()) return near_.front().deadline;
    return wheels_in_use_ == 0 ? never : wheels_[lowest()].first().least;
  }

  /// Not before the last deadline that was taken. An index has one deadline at a time.
  void put(std::uint32_t index, Time deadline) {
    SOMNUS_CHECK(deadline >= last_, "a deadline at {} ns follows one that was taken at {} ns",
                 since_start(deadline), since_start(last_));
    if (is_near(deadline)) {
      near_.push_back({deadline, index});
      std::ranges::push_heap(near_, std::greater());
    } else {
      add({deadline, index});
    }
  }

  /// The index of the least deadline, of equal ones the least index. Not if there is none.
  std::uint32_t take() {
    while (near_.empty()) empty_first_slot();
    if (near_.size() > 1) std::ranges::pop_heap(near_, std::greater());
    const Entry first = near_.back();
    near_.pop_back();
    last_ = first.deadline;
    return first.index;
  }
  /// Which comes next, if it is near; else `otherwise`.
  [[nodiscard]] std::uint32_t coming(std::uint32_t otherwise) const {
    return near_.empty() ? otherwise : near_.front().index;
  }

  /// It must be there. Looks through all that wait in the same slot.
  void erase(std::uint32_t index, Time deadline) {
    const auto remove = [&](std::vector<Entry>& entries) {
      const auto found = std::ranges::find(entries, Entry{deadline, index});
      SOMNUS_CHECK(found != entries.end(), "index {} has no deadline at {} ns", index,
                   since_start(deadline));
      *found = entries.back();
      entries.pop_back();
    };
    if (is_near(deadline)) {
      remove(near_);
      std::ranges::make_heap(near_, std::greater());
      return;
    }
    const std::size_t wheel = wheel_of(deadline);
    const std::size_t number = slot_of(deadline, wheel);
    Slot& slot = wheels_[wheel].slots[number];
    remove(slot.entries);
    if (slot.entries.empty()) return close(wheel, number);
    if (deadline == slot.least) slot.least = std::ranges::min_element(slot.entries)->deadline;
  }

 private:
  static constexpr unsigned bits = 6;
  static constexpr std::size_t slots_of_wheel = std::size_t{1} << bits;
  static constexpr std::size_t wheel_count = (63 + bits - 1) / bits;
  static constexpr std::size_t most_near = 48;   // entries that are not worth a wheel
  static constexpr std::size_t most_kept = 256;  // entries for which an empty slot has room

  struct Entry {
    Time deadline;
    std::uint32_t index;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  struct Slot {
    std::vector<Entry> entries;
    Time least;  // of the entries
  };
  struct Wheel {
    std::array<Slot, slots_of_wheel> slots;
    std::uint64_t in_use = 0;  // a bit a slot

    [[nodiscard]] std::size_t first_number() const {
      return static_cast<std::size_t>(std::countr_zero(in_use));
    }
    [[nodiscard]] const Slot& first() const { return slots[first_number()]; }
  };

  [[nodiscard]] static std::uint64_t since_start(Time time) {
    return static_cast<std::uint64_t>((time - start_of_time).count());
  }
  [[nodiscard]] std::size_t lowest() const {
    return static_cast<std::size_t>(std::countr_zero(wheels_in_use_));
  }
  [[nodiscard]] bool is_near(Time deadline) const { return since_start(deadline) < near_end_; }
  [[nodiscard]] std::size_t wheel_of(Time deadline) const {
    const std::uint64_t differ = since_start(deadline) ^ since_start(last_);
    return differ == 0 ? 0 : static_cast<std::size_t>(std::bit_width(differ) - 1) / bits;
  }
  [[nodiscard]] static std::size_t slot_of(Time deadline, std::size_t wheel) {
    return (since_start(deadline) >> (bits * wheel)) % slots_of_wheel;
  }

  void add(const Entry& entry) {
    const std::size_t wheel = wheel_of(entry.deadline);
    const std::size_t number = slot_of(entry.deadline, wheel);
    Slot& slot = wheels_[wheel].slots[number];
    slot.least = slot.entries.empty() ? entry.deadline : std::min(slot.least, entry.deadline);
    slot.entries.push_back(entry);
    wheels_[wheel].in_use |= std::uint64_t{1} << number;
    wheels_in_use_ |= std::uint64_t{1} << wheel;
  }

  /// The first slot of the lowest wheel holds the least deadline of all.
  void empty_first_slot() {
    const std::size_t wheel = lowest();
    const std::size_t number = wheels_[wheel].first_number();
    Slot& slot = wheels_[wheel].slots[number];
    last_ = slot.least;
    close(wheel, number);
    if (slot.entries.size() <= most_near || wheel == 0) {
      if (near_.capacity() > most_kept) near_ = {};
      near_.swap(slot.entries);
      std::ranges::make_heap(near_, std::greater());
      near_end_ = ((since_start(last_) >> (bits * wheel)) + 1) << (bits * wheel);
      return;
    }
    moving_.swap(slot.entries);
    for (const Entry& entry : moving_) add(entry);
    moving_.clear();
    // A wave of equal tasks goes through all slots of a wheel: each would keep room for all of it.
    if (moving_.capacity() > most_kept) moving_ = {};
  }

  void close(std::size_t wheel, std::size_t number) {
    wheels_[wheel].in_use &= ~(std::uint64_t{1} << number);
    if (wheels_[wheel].in_use == 0) wheels_in_use_ &= ~(std::uint64_t{1} << wheel);
  }

  std::vector<Entry> near_;     // a heap: all deadlines before near_end_
  std::uint64_t near_end_ = 0;  // [ns]
  std::array<Wheel, wheel_count> wheels_;
  std::uint64_t wheels_in_use_ = 0;  // a bit a wheel
  Time last_ = start_of_time;        // taken last, or the least of a slot that was emptied
  std::vector<Entry> moving_;
};

}  // namespace somnus
