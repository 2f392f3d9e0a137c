// Deadlines of a clock that only goes on: a hierarchical timing wheel over whole nanoseconds
// (Varghese and Lauck, 1987), as exact as a heap.
//
// A deadline waits in the wheel of the highest six bits in which it differs from the last one that
// was taken, in the slot of its own six bits there. So wheel 0 holds single nanoseconds, and what
// waits on a higher wheel comes before all that waits above it. Once the least deadline is on a
// higher wheel, its slot is emptied onto the wheels below. Each entry moves at most once a wheel,
// of 8,000 task ends some three times, through memory in order; a bit for each slot finds the next.
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
  [[nodiscard]] bool empty() const { return wheels_in_use_ == 0; }
  /// The least deadline; never if there is none. O(1).
  [[nodiscard]] Time next() const {
    if (empty()) return never;
    return wheels_[lowest()].first().least;
  }

  /// Not before the last deadline that was taken. An index has one deadline at a time.
  void put(std::uint32_t index, Time deadline) {
    SOMNUS_CHECK(deadline >= last_, "a deadline at {} ns follows one that was taken at {} ns",
                 since_start(deadline), since_start(last_));
    add({deadline, index});
  }

  /// The index of the least deadline, of equal ones the least index. Not if there is none.
  std::uint32_t take() {
    if (const std::size_t wheel = lowest(); wheel > 0) empty_onto_lower(wheel);
    Slot& slot = wheels_[0].first();
    std::ranges::pop_heap(slot.entries, std::greater());
    const Entry first = slot.entries.back();
    slot.entries.pop_back();
    last_ = first.deadline;
    close_if_empty(0, wheels_[0].first_number());
    return first.index;
  }

  /// It must be there. Looks through all that wait in the same slot.
  void erase(std::uint32_t index, Time deadline) {
    const std::size_t wheel = wheel_of(deadline);
    const std::size_t number = slot_of(deadline, wheel);
    Slot& slot = wheels_[wheel].slots[number];
    const auto found = std::ranges::find(slot.entries, Entry{deadline, index});
    SOMNUS_CHECK(found != slot.entries.end(), "index {} has no deadline at {} ns", index,
                 since_start(deadline));
    *found = slot.entries.back();
    slot.entries.pop_back();
    if (wheel == 0) std::ranges::make_heap(slot.entries, std::greater());
    if (deadline == slot.least && !slot.entries.empty()) {
      slot.least = std::ranges::min_element(slot.entries)->deadline;
    }
    close_if_empty(wheel, number);
  }

 private:
  static constexpr unsigned bits = 6;
  static constexpr std::size_t slots_of_wheel = std::size_t{1} << bits;
  static constexpr std::size_t wheel_count = (63 + bits - 1) / bits;
  static constexpr std::size_t most_kept = 256;  // entries for which an empty slot has room

  struct Entry {
    Time deadline;
    std::uint32_t index;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  struct Slot {
    std::vector<Entry> entries;  // on wheel 0, where all have one deadline, a heap
    Time least;                  // of the entries
  };
  struct Wheel {
    std::array<Slot, slots_of_wheel> slots;
    std::uint64_t in_use = 0;  // a bit a slot

    [[nodiscard]] std::size_t first_number() const {
      return static_cast<std::size_t>(std::countr_zero(in_use));
    }
    [[nodiscard]] Slot& first() { return slots[first_number()]; }
    [[nodiscard]] const Slot& first() const { return slots[first_number()]; }
  };

  [[nodiscard]] static std::uint64_t since_start(Time time) {
    return static_cast<std::uint64_t>((time - start_of_time).count());
  }
  [[nodiscard]] std::size_t lowest() const {
    return static_cast<std::size_t>(std::countr_zero(wheels_in_use_));
  }
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
    if (wheel == 0) std::ranges::push_heap(slot.entries, std::greater());
    wheels_[wheel].in_use |= std::uint64_t{1} << number;
    wheels_in_use_ |= std::uint64_t{1} << wheel;
  }

  /// The first slot of that wheel, which holds the least deadline of all.
  void empty_onto_lower(std::size_t wheel) {
    const std::size_t number = wheels_[wheel].first_number();
    Slot& slot = wheels_[wheel].slots[number];
    last_ = slot.least;
    moving_.swap(slot.entries);
    close_if_empty(wheel, number);
    for (const Entry& entry : moving_) add(entry);
    moving_.clear();
    // A wave of equal tasks goes through all slots of a wheel: each would keep room for all of it.
    if (moving_.capacity() > most_kept) moving_ = {};
  }

  void close_if_empty(std::size_t wheel, std::size_t number) {
    if (!wheels_[wheel].slots[number].entries.empty()) return;
    wheels_[wheel].in_use &= ~(std::uint64_t{1} << number);
    if (wheels_[wheel].in_use == 0) wheels_in_use_ &= ~(std::uint64_t{1} << wheel);
  }

  std::array<Wheel, wheel_count> wheels_;
  std::uint64_t wheels_in_use_ = 0;  // a bit a wheel
  Time last_ = start_of_time;        // taken last, or the least of a slot that was emptied
  std::vector<Entry> moving_;
};

}  // namespace somnus
