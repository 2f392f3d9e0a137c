// A node's queue: tasks that have come and cannot start yet, in the order in which they shall start
// (Yaq, section 3.3, Algorithm 3; policies.md 4.1).
//
//     starved(t)  <=>  t has waited longer than min(ST, ST_r * its estimated duration)
//     a starved task goes before all that are not; among the starved the earlier job's first;
//     among the others the least key (queueing/reordering.cpp), then the longer wait
//
// What it knows of jobs is as old as the node's last heartbeat, or the task's coming.
#pragma once

#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/message.hpp"
#include "queueing/rules.hpp"

namespace somnus {

class WorkerQueue {
 public:
  struct Entry {
    LaunchMessage task;  // an invalid task: a place that is reserved for one of the stage
    Time queued;
    Time arrival;              // of the job
    std::int64_t key = 0;      // the least first
    std::uint64_t number = 0;  // in order of coming

    [[nodiscard]] bool is_reservation() const { return !task.task.valid(); }
  };

  explicit WorkerQueue(const QueueRules& rules);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }

  /// job: where its job stands.
  void put(Time now, const LaunchMessage& task, const JobNews& job);
  /// The one that shall start now. Not for an empty queue.
  Entry take(Time now);
  /// At a heartbeat: where jobs stand now, by JobId.
  void refresh(const std::vector<JobNews>& jobs);
  /// For one more task. running: estimated time left, by slot, of a full node; used up.
  [[nodiscard]] Duration wait(std::vector<Duration>& running) const;
  /// Takes out what is beyond either limit and may be moved, those that would start last first: not
  /// reservations, nor what is starved or has come within the last rebalancing interval.
  [[nodiscard]] std::vector<Entry> shed(Time now, const RevokeMessage& limits,
                                        std::vector<Duration>& running);
  /// All of it, in order.
  [[nodiscard]] std::vector<Entry> drain();

 private:
  [[nodiscard]] std::int64_t key_of(const LaunchMessage& task, const JobNews& job) const;
  [[nodiscard]] bool starved(const Entry& entry, Time now) const;
  [[nodiscard]] std::vector<Duration> estimates() const;

  QueueRules rules_;
  bool some_starve_;
  boost::circular_buffer<Entry> entries_;  // in order of (key, number)
  std::uint64_t came_ = 0;
};

}  // namespace somnus
