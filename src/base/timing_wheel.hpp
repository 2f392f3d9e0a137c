// Deadlines of a clock that only goes on: a hierarchical timing wheel over whole nanoseconds
// (Varghese and Lauck, 1987), as exact as a heap.
//
// A deadline waits in the wheel of the highest byte in which it differs from the last one that was
// taken, in the slot of its own byte there; a bit for each slot finds the first in use.
// What waits on a higher wheel comes after all that waits below it. When no deadline is near, the
// first slots are emptied: a few entries become those that are near, in order; a slot with more of
// them is spread over the wheels below. So each entry moves at most once a wheel, and mostly once
// or twice.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/time.hpp"

namespace somnus {

class TimingWheel {
 public:
  [[nodiscard]] bool empty() const { return next_ == never; }
  /// The least deadline; never if there is none.
  [[nodiscard]] Time next() const { return next_; }

  /// Not before the last deadline that was taken. An index has one deadline at a time.
  void put(std::uint32_t index, Time deadline) {
    SOMNUS_CHECK(deadline >= last_, "a deadline at {} ns follows one that was taken at {} ns",
                 since_start(deadline), since_start(last_));
    next_ = std::min(next_, deadline);
    is_near(deadline) ? add_near({deadline, index}) : add({deadline, index});
  }

  /// The index of the least deadline, of equal ones the least index. Not if there is none. Calls
  /// comes_soon(index) for each as it becomes one of the next 16, also for the one that it returns,
  /// but for none that was put when its deadline was near already.
  template <class ComesSoon>
  std::uint32_t take(ComesSoon&& comes_soon) {
    while (none_is_near()) {
      empty_first_slot();
      for (const Entry& entry : near_ | std::views::take(most_near)) comes_soon(entry.index);
    }
    Entry first;
    if (came_near_.empty() || (taken_ < near_.size() && near_[taken_] < came_near_.front())) {
      first = near_[taken_++];
      if (near_.size() - taken_ >= most_near) comes_soon(near_[taken_ + most_near - 1].index);
    } else {
      std::ranges::pop_heap(came_near_, std::greater());
      first = came_near_.back();
      came_near_.pop_back();
    }
    last_ = first.deadline;
    next_ = least();
    return first.index;
  }
  std::uint32_t take() {
    return take([](std::uint32_t) {});
  }
  /// One that comes soon, after so many others, if it is known; else `otherwise`.
  [[nodiscard]] std::uint32_t coming(std::size_t after, std::uint32_t otherwise) const {
    return taken_ + after < near_.size() ? near_[taken_ + after].index : otherwise;
  }

  /// It must be there. Looks through all that wait in the same slot.
  void erase(std::uint32_t index, Time deadline) {
    const auto remove = [&](std::vector<Entry>& entries, std::size_t from = 0) {
      const auto found = std::find(entries.begin() + static_cast<std::ptrdiff_t>(from),
                                   entries.end(), Entry{deadline, index});
      if (found == entries.end()) return false;
      entries.erase(found);
      return true;
    };
    bool found = false;
    if (is_near(deadline)) {
      found = remove(near_, taken_) || remove(came_near_);
      std::ranges::make_heap(came_near_, std::greater());
    } else {
      const std::size_t at = slot_of(deadline);
      Slot& slot = slots_[at];
      found = remove(slot.entries);
      if (slot.entries.empty()) {
        close(at);
      } else if (deadline == slot.least) {
        slot.least = std::ranges::min_element(slot.entries)->deadline;
      }
    }
    SOMNUS_CHECK(found, "index {} has no deadline at {} ns", index, since_start(deadline));
    next_ = least();
  }

 private:
  static constexpr unsigned bits = 8;
  static constexpr std::size_t slots_of_wheel = std::size_t{1} << bits;
  static constexpr std::size_t words_of_wheel = slots_of_wheel / 64;
  static constexpr std::size_t wheel_count = (63 + bits - 1) / bits;
  static constexpr std::size_t most_near = 16;  // entries that are not worth a wheel
  // Slots of one wheel that become near together: what is put before the end of the last of them
  // goes to a heap, so they are few.
  static constexpr std::size_t most_slots_near = 32;
  static constexpr std::size_t most_kept = 256;  // entries for which an empty slot has room

  struct Entry {
    Time deadline;
    std::uint32_t index;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  struct Slot {
    std::vector<Entry> entries;
    Time least = never;  // of the entries
  };

  [[nodiscard]] static std::uint64_t since_start(Time time) {
    return static_cast<std::uint64_t>((time - start_of_time).count());
  }
  /// Of all slots, the lowest wheel's first. There must be one.
  [[nodiscard]] std::size_t first_in_use() const {
    std::size_t word = words_of_wheel * static_cast<std::size_t>(std::countr_zero(wheels_in_use_));
    while (in_use_[word] == 0) ++word;
    return 64 * word + static_cast<std::size_t>(std::countr_zero(in_use_[word]));
  }
  [[nodiscard]] bool none_is_near() const { return taken_ == near_.size() && came_near_.empty(); }
  [[nodiscard]] Time least() const {
    if (!none_is_near()) {
      const Time first = taken_ < near_.size() ? near_[taken_].deadline : never;
      return came_near_.empty() ? first : std::min(first, came_near_.front().deadline);
    }
    return wheels_in_use_ == 0 ? never : slots_[first_in_use()].least;
  }
  [[nodiscard]] bool is_near(Time deadline) const { return since_start(deadline) < near_end_; }
  [[nodiscard]] std::size_t slot_of(Time deadline) const {
    const std::uint64_t differ = since_start(deadline) ^ since_start(last_);
    const auto wheel = static_cast<unsigned>(std::bit_width(differ | 1) - 1) / bits;
    return wheel * slots_of_wheel + (since_start(deadline) >> (bits * wheel)) % slots_of_wheel;
  }

  void add(const Entry& entry) {
    const std::size_t at = slot_of(entry.deadline);
    in_use_[at / 64] |= std::uint64_t{1} << (at % 64);
    wheels_in_use_ |= 1U << (at / slots_of_wheel);
    slots_[at].least = std::min(slots_[at].least, entry.deadline);
    append(entry, slots_[at].entries);
  }

  // What is rare is a function of its own, for whose call the quick way saves no registers.
  [[gnu::noinline]] void add_near(Entry entry) {
    came_near_.push_back(entry);
    std::ranges::push_heap(came_near_, std::greater());
  }
  static void append(const Entry& entry, std::vector<Entry>& entries) {
    if (entries.size() == entries.capacity()) return grow_by(entry, entries);
    entries.push_back(entry);
  }
  [[gnu::noinline]] static void grow_by(Entry entry, std::vector<Entry>& entries) {
    entries.reserve(std::max<std::size_t>(4, 2 * entries.size()));
    entries.push_back(entry);
  }

  /// The first slot of the lowest wheel holds the least deadline of all.
  void empty_first_slot() {
    const std::size_t first = first_in_use();
    last_ = slots_[first].least;
    empty(near_);
    taken_ = 0;
    if (slots_[first].entries.size() <= most_near || first < slots_of_wheel) return gather(first);
    moving_.swap(slots_[first].entries);
    close(first);
    for (const Entry& entry : moving_) add(entry);
    empty(moving_);
  }

  /// Makes near what waits there, and in slots of its wheel behind it while that is little.
  void gather(std::size_t at) {
    const std::size_t wheel = at / slots_of_wheel;
    const std::size_t end = std::min((wheel + 1) * slots_of_wheel, at + most_slots_near);
    do {
      std::vector<Entry>& entries = slots_[at].entries;
      if (!std::ranges::is_sorted(entries)) std::ranges::sort(entries);
      near_.insert(near_.end(), entries.begin(), entries.end());
      near_end_ = ((since_start(slots_[at].least) >> (bits * wheel)) + 1) << (bits * wheel);
      empty(entries);
      close(at);
      at = wheels_in_use_ == 0 ? end : first_in_use();
    } while (at < end && near_.size() + slots_[at].entries.size() <= most_near);
  }

  static void empty(std::vector<Entry>& entries) {
    entries.clear();
    // A wave of equal tasks goes through all slots of a wheel: each would keep room for all of it.
    // (To assign {} would keep it, too.)
    if (entries.capacity() > most_kept) entries = std::vector<Entry>();
  }

  void close(std::size_t at) {
    slots_[at].least = never;
    in_use_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
    const std::size_t wheel = at / slots_of_wheel;
    const auto words = std::span(in_use_).subspan(words_of_wheel * wheel, words_of_wheel);
    const bool empty = std::ranges::all_of(words, [](std::uint64_t word) { return word == 0; });
    if (empty) wheels_in_use_ &= ~(1U << wheel);
  }

  // All deadlines before near_end_ [ns]: those of some slots, in order, and those that came since.
  std::vector<Entry> near_;
  std::size_t taken_ = 0;         // of near_
  std::vector<Entry> came_near_;  // a heap
  std::uint64_t near_end_ = 0;
  std::array<Slot, wheel_count * slots_of_wheel> slots_;
  std::array<std::uint64_t, wheel_count * words_of_wheel> in_use_{};  // a bit a slot
  std::uint32_t wheels_in_use_ = 0;                                   // a bit a wheel
  Time last_ = start_of_time;  // taken last, or the least of a slot that was emptied
  Time next_ = never;
  std::vector<Entry> moving_;
};

}  // namespace somnus
