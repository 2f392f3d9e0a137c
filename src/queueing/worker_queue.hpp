// The queue of a node: what has come and cannot start yet. An open set: each kind is a class, which
// says its traits, and a row of the registry. A queue sees the estimates of a task; how long it
// will really take stays with the node (workers/waiting_launches.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/message.hpp"
#include "queueing/rules.hpp"

namespace somnus {

/// What others have to know of a kind of queue.
struct QueueTraits {
  bool by_key = false;  // starved tasks go first, then the least key of the reordering
};

class WorkerQueue {
 public:
  struct Entry {
    Duration estimate{};  // of the task
    TaskId task;          // invalid: a place that is reserved for one of the stage
    JobId job;
    StageId stage;
    std::uint16_t attempt = 0;
    std::uint32_t launch = 0;  // of a task: where its node keeps the rest
    Time queued;

    [[nodiscard]] bool is_reservation() const { return !task.valid(); }
  };

  virtual ~WorkerQueue() = default;

  [[nodiscard]] virtual std::uint32_t size() const = 0;
  [[nodiscard]] bool empty() const { return size() == 0; }

  /// It is queued now. job: where its job stands.
  virtual void put(Time now, const Entry& entry, const JobUpdate& job) = 0;
  /// The one that shall start now. Not for an empty queue.
  virtual Entry take(Time now) = 0;
  /// At a heartbeat: where jobs stand now, by JobId.
  virtual void refresh(const std::vector<JobUpdate>& jobs) = 0;
  /// For one more task. running: estimated time left, by slot, of a full node; used up.
  [[nodiscard]] virtual Duration wait(std::vector<Duration>& running) const = 0;
  /// Takes out what is beyond either limit and may be moved, those that would start last first: not
  /// reservations, nor what is starved or has come within the last rebalancing interval.
  [[nodiscard]] virtual std::vector<Entry> shed(Time now, const RevokeMessage& limits,
                                                std::vector<Duration>& running) = 0;
  /// Takes that attempt out; none if it is not there.
  [[nodiscard]] virtual std::optional<Entry> remove(TaskId task, std::uint16_t attempt) = 0;
  /// All of it, in the order in which it would start.
  [[nodiscard]] virtual std::vector<Entry> drain() = 0;

 protected:
  WorkerQueue() = default;
  WorkerQueue(const WorkerQueue&) = default;
  WorkerQueue& operator=(const WorkerQueue&) = default;
};

/// Makes the queue of one node.
using MakeQueue = std::unique_ptr<WorkerQueue> (*)(const QueueRules& rules);

template <class Queue>
std::unique_ptr<WorkerQueue> make_worker_queue(const QueueRules& rules) {
  return std::make_unique<Queue>(rules);
}

}  // namespace somnus
