// A node's queue with little jobs, for tests.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "harness/builders.hpp"
#include "harness/property.hpp"
#include "queueing/reordered_queue.hpp"

namespace somnus::harness {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct QueuedJob {
  Duration arrival{};
  Duration remaining{};
  std::uint32_t tasks = 1;
};

inline JobUpdate update_of(std::uint32_t id, const QueuedJob& job) {
  return {.arrival = at(job.arrival),
          .remaining = job.remaining,
          .job = JobId(id),
          .unfinished = job.tasks};
}

inline WorkerQueue::Entry task_of(std::uint32_t id, std::uint32_t job, Duration estimate) {
  return {.estimate = estimate, .task = TaskId(id), .job = JobId(job)};
}

/// A queue whose tasks are numbered as they come, from 0.
class NumberedQueue {
 public:
  explicit NumberedQueue(const QueueRules& rules) : queue_(rules) {}

  void put(Duration now, std::uint32_t job, const QueuedJob& known,
           Duration estimate = std::chrono::seconds(1)) {
    queue_.put(at(now), task_of(next_++, job, estimate), update_of(job, known));
  }
  std::uint32_t take(Duration now) { return queue_.take(at(now)).task.value(); }
  /// All of it, taken at that moment.
  std::vector<std::uint32_t> order_at(Duration now) {
    std::vector<std::uint32_t> order;
    while (!queue_.empty()) order.push_back(take(now));
    return order;
  }
  ReorderedQueue& get() { return queue_; }

 private:
  ReorderedQueue queue_;
  std::uint32_t next_ = 0;
};

using QueueOrder = std::vector<std::uint32_t>;

inline Duration any_span(int low, int high) {
  return std::chrono::seconds(*rc::gen::inRange(low, high));
}

inline double any_threshold() {
  return *rc::gen::element(0.0, 0.5, 1.0, 2.0, 5.0, infinity, infinity);
}

}  // namespace somnus::harness
