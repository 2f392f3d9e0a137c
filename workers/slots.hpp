// The slots of one node and what ran in them: which slot a task takes, and how long it takes there
// (src/warmup). Where resources alone limit its tasks, a slot is made when a task
// first needs one: there are as many as it ever ran at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/message.hpp"
#include "workers/node_model.hpp"

namespace somnus {

/// The task that runs in it, or ran last: all that the end of most sleeps reads, two to a cache
/// line.
struct alignas(32) Slot {
  Time started;
  Duration intended{};
  TaskId task;
  NodeId node;
  std::uint32_t place = 0;  // in its node
  std::uint16_t attempt = 0;
  bool busy = false;
  bool warm : 1 = false;
  bool fails : 1 = false;  // before it has taken as long as intended
};
static_assert(sizeof(Slot) == 32);

/// What else there is to say of a task that fails, or whose node has a queue.
struct SlotApart {
  Time queued;
  Time deadline;
  Duration estimate{};
};

/// Of a task: the number of its slot in the set of nodes, and its end.
struct Sleep {
  std::uint32_t slot;
  Time until;
};

/// Of all nodes of a set, by number.
class AllSlots {
 public:
  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  void reserve(std::size_t count) {
    slots_.reserve(count);
    freed_before_.reserve(count);
  }
  void add(std::uint32_t place) {
    slots_.push_back({.place = place});
    freed_before_.push_back(0);
  }
  [[nodiscard]] Slot& operator[](std::size_t number) { return slots_[number]; }
  [[nodiscard]] const Slot& operator[](std::size_t number) const { return slots_[number]; }
  /// Kept from the first time that somebody asks for one: most runs have neither queues nor
  /// failures.
  [[nodiscard]] SlotApart& apart(const Slot& slot) {
    if (apart_.size() < slots_.size()) make_room_apart();
    return apart_[static_cast<std::size_t>(&slot - slots_.data())];
  }
  /// When its sleep ends.
  [[nodiscard]] Time deadline(const Slot& slot) {
    return slot.fails ? apart(slot).deadline : slot.started + slot.intended;
  }
  /// Of one that is free, and has been used: the place freed before it. Apart, so that who takes a
  /// slot need not wait for its line.
  [[nodiscard]] std::uint32_t& freed_before(std::size_t number) { return freed_before_[number]; }
  /// Kept from the first time that somebody asks for one: many warm-up models look at nothing.
  [[nodiscard]] History& history(std::size_t number) {
    if (number >= histories_.size()) histories_.resize(slots_.size());
    return histories_[number];
  }
  void forget_history(std::size_t number) {
    if (number < histories_.size()) histories_[number].forget();
  }

 private:
  // A function of its own, for whose call nobody else saves registers.
  [[gnu::noinline]] void make_room_apart() { apart_.resize(slots_.size()); }

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> freed_before_;
  std::vector<SlotApart> apart_;
  std::vector<History> histories_;
};

class Slots {
 public:
  /// Adds its slots to `all`, which must outlive it. count: slots of the node; 0: no limit.
  /// slowdown: a task takes that many times as long here.
  Slots(AllSlots& all, std::uint32_t count, double slowdown);

  /// How many have been used so far.
  [[nodiscard]] std::uint32_t used() const { return used_; }
  [[nodiscard]] bool any_free() const {
    return last_freed_ != none || used_ != count_ || count_ == 0;
  }
  /// Running a task, or taken for one that comes later.
  [[nodiscard]] std::uint32_t taken() const { return taken_; }
  [[nodiscard]] const Slot& operator[](std::uint32_t place) const { return (*all_)[number(place)]; }
  [[nodiscard]] Slot& operator[](std::uint32_t place) { return (*all_)[number(place)]; }
  /// Its number among those of all nodes.
  [[nodiscard]] std::uint32_t number(std::uint32_t place) const {
    return count_ > 0 ? first_ + place : numbers_[place];
  }

  /// Of the task in it.
  [[nodiscard]] Sleep sleep(const Slot& slot) const {
    return {.slot = number(slot.place), .until = all_->deadline(slot)};
  }
  /// When its task reached the node, which has a queue.
  [[nodiscard]] Time queued(const Slot& slot) const { return all_->apart(slot).queued; }

  /// The free slot whose turn it is, which is no longer free. There must be one.
  std::uint32_t take() {
    if (last_freed_ == none) return take_unused();
    ++taken_;
    const std::uint32_t place = last_freed_;
    last_freed_ = freed_before(place);
    return place;
  }
  void give_back(Slot& slot) {
    --taken_;
    freed_before(slot.place) = last_freed_;
    last_freed_ = slot.place;
  }

  /// In the free slot where it takes least; of equal ones in the one that was freed last, before
  /// any that was never used. There must be one.
  Sleep start(Time now, const LaunchMessage& task, Time queued, const NodeModel& model);
  /// The task in it is over; the slot is free again.
  void end(Slot& slot) {
    slot.busy = false;
    give_back(slot);
  }

  /// The one in which that attempt runs; nullptr: it does not run here.
  [[nodiscard]] Slot* find(TaskId task, std::uint16_t attempt);

  /// Their JVMs are gone.
  void forget();
  /// Estimated time left of each running task, of a node that has a queue.
  [[nodiscard]] std::vector<Duration> left_of_running(Time now) const;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// The quickest for the task is the next to be taken: of those that were freed, or a new one.
  enum class Next : std::uint8_t { freed, unused };
  [[nodiscard]] Next put_quickest_first(const LaunchMessage& task, const Warmup& warmup);
  [[nodiscard]] Duration time_in(std::uint32_t place, const LaunchMessage& task,
                                 const Warmup& warmup);
  [[gnu::noinline]] std::uint32_t take_unused();
  [[nodiscard]] std::uint32_t& freed_before(std::uint32_t place) {
    return all_->freed_before(number(place));
  }

  AllSlots* all_;
  double slowdown_;
  std::uint32_t count_;
  std::uint32_t first_;     // its number among all, where there is a limit
  std::uint32_t used_ = 0;  // those in the places before
  std::uint32_t taken_ = 0;
  std::uint32_t last_freed_ = none;     // goes first, then the one freed before it
  std::vector<std::uint32_t> numbers_;  // by place, where there is no limit
};
static_assert(sizeof(Slots) == 64);

}  // namespace somnus
