// The slots of one node and the JVMs in them: which slot a task takes, and how long it takes there
// (policies.md 5, JVM reuse).
#pragma once

#include <cstdint>
#include <span>
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
  AppId last_app;  // whose JVM is there
  bool busy = false;
  bool warm = false;
  bool fails = false;
};

class Slots {
 public:
  /// The node's part of all slots, and as much room for the stack of those that are free. Both must
  /// outlive it. slowdown: a task takes that many times as long here.
  Slots(std::span<Slot> all, std::span<std::uint32_t> room, double slowdown);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }
  /// Neither running a task nor taken for one that comes later.
  [[nodiscard]] std::uint32_t free() const { return free_; }
  [[nodiscard]] std::uint32_t taken() const { return size() - free_; }
  [[nodiscard]] const Slot& operator[](std::uint32_t place) const { return all_[place]; }

  /// The free slot whose turn it is, which is no longer free. There must be one.
  std::uint32_t take() { return room_[--free_]; }
  void give_back(std::uint32_t place) { room_[free_++] = place; }

  /// In a free slot, one that is warm for the task's app if there is one. There must be one.
  std::uint32_t start(Time now, const LaunchMessage& task, Time queued, const NodeModel& model);
  /// The task in it is over; the slot is free again.
  void end(std::uint32_t place);

  void forget_jvms();
  /// Estimated time left of each running task.
  [[nodiscard]] std::vector<Duration> left_of_running(Time now) const;

 private:
  void prefer_warm(AppId app);

  std::span<Slot> all_;
  std::uint32_t* room_;
  double slowdown_;
  std::uint32_t free_;
};

}  // namespace somnus
