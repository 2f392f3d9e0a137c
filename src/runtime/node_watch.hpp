// Rank 0's watch over nodes that say nothing when they are lost: one of which no heartbeat has come
// for too long is given up, and with it all attempts placed there. If it is heard again, it has to
// forget that and begin a new life; what it says of an earlier life is not accepted.
//
// Where nodes report their loss themselves there is nothing to watch, and nothing is kept.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/indexed_heap.hpp"
#include "base/time.hpp"
#include "model/job_table.hpp"
#include "model/message.hpp"

namespace somnus {

class NodeWatch {
 public:
  /// silence_limit: how long a node may be silent; zero: nodes report their loss themselves. from:
  /// when all were there.
  NodeWatch(Duration silence_limit, std::uint32_t nodes, Time from = start_of_time);

  [[nodiscard]] bool watches() const { return silence_limit_ > Duration::zero(); }
  /// Whether it is of the life that the node leads, as far as is known here. What asks for a new
  /// one does not.
  [[nodiscard]] bool accepts(const NodeStatusMessage& message) const {
    return message.status != NodeStatus::registers &&
           message.incarnation == incarnation(message.node);
  }
  [[nodiscard]] Incarnation incarnation(NodeId node) const {
    return watches() ? nodes_[node.index()].incarnation : Incarnation();
  }
  [[nodiscard]] bool given_up(NodeId node) const { return nodes_[node.index()].given_up; }
  /// When the first node will have been silent for too long; never if none can be.
  [[nodiscard]] Time next() const {
    return heard_.empty() ? never : heard_.top().key + silence_limit_;
  }
  /// One that has been silent for too long by then, the longest first; invalid if there is none.
  [[nodiscard]] NodeId silent(Time now) const {
    return next() <= now ? NodeId(heard_.top().index) : NodeId();
  }

  // What was sent to nodes, and what they report; only where it watches.
  void launched(NodeId node, TaskId task, const JobTable& jobs);
  void asked(NodeId node, StageId stage);
  void answered(NodeId node, StageId stage);
  /// A heartbeat of the life that it leads has come, or it is back.
  void heard(Time now, NodeId node);

  // The ends of attempts that are given up with their node are reported at some time, before or
  // after that; the scheduler no longer needs them, but the log does.
  /// Whether the scheduler gets that end: not one that was lost with its node or given up with it.
  [[nodiscard]] static bool accepts(const CompletionMessage& end, const JobTable& jobs) {
    return end.outcome != Outcome::lost && jobs.is_on_node(end.task, end.attempt, end.node);
  }
  /// The attempt's end was not accepted. Returns what to record now, if it is already given up.
  [[nodiscard]] std::optional<CompletionMessage> refuse(const CompletionMessage& end);
  /// The attempt is given up. Returns what to record now, if its end has been reported.
  [[nodiscard]] std::optional<CompletionMessage> given_up(TaskId task, std::uint16_t attempt);

  struct Attempt {
    TaskId task;
    std::uint16_t number;
    friend auto operator<=>(const Attempt&, const Attempt&) = default;
  };
  /// That run there as far as is known, in order of task.
  [[nodiscard]] std::vector<Attempt> attempts_on(NodeId node, const JobTable& jobs) const;
  /// It is given up. Returns for which stages it was asked and has not answered, in turn.
  [[nodiscard]] std::vector<StageId> give_up(NodeId node);

 private:
  struct Watched {
    Incarnation incarnation = 0;
    bool given_up = false;
    std::vector<TaskId> launched;  // and some that run there no longer
    std::vector<StageId> asked;
  };
  [[nodiscard]] static bool runs_on(NodeId node, TaskId task, const JobTable& jobs) {
    bool runs = false;
    jobs.for_each_on_node(task, [&](std::uint16_t, NodeId where) { runs |= where == node; });
    return runs;
  }

  /// An attempt of which only the end has been heard, or only that it is given up.
  using Key = std::pair<TaskId, std::uint16_t>;

  Duration silence_limit_;
  std::vector<Watched> nodes_;
  IndexedHeap<Time> heard_;  // by node, those that are not given up
  std::map<Key, std::optional<CompletionMessage>> open_;
};

}  // namespace somnus
