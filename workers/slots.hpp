// The slots of one node and what ran in them: which slot a task takes, and how long it takes there
// (src/warmup). Where resources alone limit its tasks, a slot is made when a task
// first needs one: there are as many as it ever ran at once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/message.hpp"
#include "workers/node_model.hpp"

namespace somnus {

struct Slot {
  LaunchMessage task;  // that runs in it, or ran last
  Time queued;
  Time started;
  Time deadline;
  Duration intended{};
  std::uint32_t place = 0;  // in its node
  History history;
  bool busy = false;
  bool warm = false;
  bool fails = false;
};

/// Of all nodes of a set, by number.
using AllSlots = std::vector<Slot>;

class Slots {
 public:
  /// Adds its slots to `all`, which must outlive it. count: slots of the node; 0: no limit.
  /// slowdown: a task takes that many times as long here.
  Slots(AllSlots& all, std::uint32_t count, double slowdown);

  /// How many have been used so far.
  [[nodiscard]] std::uint32_t used() const { return used_; }
  [[nodiscard]] bool any_free() const { return !free_.empty() || used_ != count_ || count_ == 0; }
  /// Running a task, or taken for one that comes later.
  [[nodiscard]] std::uint32_t taken() const {
    return used_ - static_cast<std::uint32_t>(free_.size());
  }
  [[nodiscard]] const Slot& operator[](std::uint32_t place) const { return all_[number(place)]; }
  /// Its number among those of all nodes.
  [[nodiscard]] std::uint32_t number(std::uint32_t place) const {
    return count_ > 0 ? first_ + place : numbers_[place];
  }

  /// The free slot whose turn it is, which is no longer free. There must be one.
  std::uint32_t take();
  void give_back(std::uint32_t place) { free_.push_back(place); }

  /// In the free slot where it takes least; of equal ones in the one that was freed last, before
  /// any that was never used. There must be one.
  std::uint32_t start(Time now, const LaunchMessage& task, Time queued, const NodeModel& model);
  /// The task in it is over; the slot is free again.
  void end(std::uint32_t place);

  /// Where that attempt runs; none: it does not run here.
  [[nodiscard]] std::optional<std::uint32_t> place_of(TaskId task, std::uint16_t attempt) const;

  /// Their JVMs are gone.
  void forget();
  /// Estimated time left of each running task.
  [[nodiscard]] std::vector<Duration> left_of_running(Time now) const;

 private:
  /// The next to be taken: the last of the free ones, or a new one.
  enum class Next : std::uint8_t { freed, unused };
  [[nodiscard]] Next put_quickest_last(const LaunchMessage& task, const Warmup& warmup);
  [[nodiscard]] Intended intended(const LaunchMessage& task, const History& history,
                                  const Warmup& warmup) const;
  std::uint32_t take_unused();
  [[nodiscard]] Slot& at(std::uint32_t place) { return all_[number(place)]; }

  AllSlots& all_;
  std::uint32_t count_;
  std::uint32_t first_;     // its number among all, where there is a limit
  std::uint32_t used_ = 0;  // those in the places before
  double slowdown_;
  std::vector<std::uint32_t> numbers_;  // by place, where there is none
  std::vector<std::uint32_t> free_;     // of those that have been used; the last goes first
};

}  // namespace somnus
