// The scheduler's books on nodes: what it placed there and what was reported, no more. The
// emulated truth of a node lives in workers/.
//
// Where nodes have queues, a node with no free slot still has room as long as its queue's bound
// allows. Counts go by the books, so tasks that are on their way are counted; the wait in a queue
// is what the node last reported, and each task placed since adds its estimate / slots (Yaq,
// section 3.1.2). Under Feedback::monitor there are no books: every job's manager sees the last
// reports alone (section 2.5).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bit_index.hpp"
#include "base/describe.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/cluster.hpp"
#include "model/event.hpp"
#include "model/worker_queue.hpp"

namespace somnus {

/// When the scheduler learns of ends, and when it may use a node's room.
enum class Feedback {
  at_once,        // each end when it happens; any node, always
  heartbeat,      // ends with heartbeats; a node in the round of its own heartbeat
  any_heartbeat,  // ends with heartbeats; any node in the round of any heartbeat
  monitor,        // each end when it happens, load with heartbeats; any node, always
};
template <>
struct EnumNames<Feedback> {
  static constexpr std::pair<Feedback, const char*> names[] = {
      {Feedback::at_once, "at-once"},
      {Feedback::heartbeat, "heartbeat"},
      {Feedback::any_heartbeat, "any-heartbeat"},
      {Feedback::monitor, "monitor"}};
};

class NodeTable {
 public:
  /// queue: of each node; none: a node holds no task that it can't start.
  NodeTable(const Cluster& cluster, Feedback feedback, std::optional<QueueRules> queue = {});

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  [[nodiscard]] Feedback feedback() const { return feedback_; }
  [[nodiscard]] const std::optional<QueueRules>& queue() const { return queue_; }
  [[nodiscard]] bool up(NodeId node) const { return nodes_[node.index()].up; }
  [[nodiscard]] std::uint32_t slots(NodeId node) const { return nodes_[node.index()].slots; }
  [[nodiscard]] const Resources& free(NodeId node) const { return nodes_[node.index()].free; }

  // As the scheduler sees a node.
  [[nodiscard]] std::uint32_t free_slots(NodeId node) const {
    return nodes_[node.index()].free_slots;
  }
  [[nodiscard]] std::uint32_t queued(NodeId node) const { return nodes_[node.index()].queued; }
  /// Of one more task in its queue, s.
  [[nodiscard]] double wait(NodeId node) const { return nodes_[node.index()].wait_s; }
  /// Of all nodes that are up, share of all slots.
  [[nodiscard]] double free_share() const {
    return slots_ > 0 ? static_cast<double>(free_slots_) / static_cast<double>(slots_) : 0;
  }

  // By the books.
  [[nodiscard]] std::uint64_t busy_slots() const { return busy_slots_; }
  [[nodiscard]] std::uint64_t queued_tasks() const { return placed_ - busy_slots_; }
  [[nodiscard]] const Resources& allocated() const { return allocated_; }

  /// Whether it may be used now and has room: a free slot, or a place in its queue.
  [[nodiscard]] bool usable(NodeId node) const { return ready(node) && round_is_open(); }
  /// The same, where only the round may not have begun: what an index of nodes goes by, as all of
  /// them become usable with the first offer of a round.
  [[nodiscard]] bool ready(NodeId node) const { return usable_.contains(node.value()); }
  [[nodiscard]] bool any_usable() const { return !usable_.empty() && round_is_open(); }
  /// The first usable node from this one on; invalid if there is none.
  [[nodiscard]] NodeId first_usable(NodeId from = NodeId(0U)) const {
    return round_is_open() ? NodeId(usable_.first(from.value())) : NodeId();
  }
  /// The first usable node with a free slot; invalid if there is none.
  [[nodiscard]] NodeId first_free() const {
    if (!queue_) return first_usable();
    return round_is_open() ? NodeId(with_free_slot_.first()) : NodeId();
  }
  [[nodiscard]] bool fits(NodeId node, const Resources& demand) const {
    return usable(node) && (!vectors_ || demand.fits_in(free(node)));
  }

  // Changes, by the engine.
  void take(NodeId node, const Resources& demand, Duration estimate = {});
  void give(NodeId node, const Resources& demand);
  /// A heartbeat of the node has come.
  void offer(const NodeOffered& report);
  /// The round is over: with heartbeats, no node may be used until its next one.
  void withdraw_offers();
  /// Those whose offers withdraw_offers() would end.
  [[nodiscard]] const std::vector<NodeId>& offers() const { return offers_; }
  void lose(NodeId node);
  void restore(NodeId node);

 private:
  struct NodeState {
    Resources free;
    double wait_s = 0;
    std::uint32_t slots = 0;
    std::uint32_t placed = 0;      // and not ended, by the books
    std::uint32_t free_slots = 0;  // as seen
    std::uint32_t queued = 0;      // as seen
    bool up = true;
    bool offered = false;
  };

  [[nodiscard]] bool keeps_books() const { return feedback_ != Feedback::monitor; }
  [[nodiscard]] bool round_is_open() const {
    return feedback_ != Feedback::any_heartbeat || !offers_.empty();
  }
  [[nodiscard]] bool has_room(const NodeState& state) const;
  void see_free(NodeState& state, std::uint32_t slots);
  void see_reported(NodeState& state, const NodeOffered& report);
  void update(NodeId node);

  Feedback feedback_;
  std::optional<QueueRules> queue_;
  bool vectors_;  // more than slots counts
  std::vector<NodeState> nodes_;
  std::vector<std::vector<double>> on_way_s_;  // by node, estimates of tasks it may not know yet
  std::vector<NodeId> offers_;
  BitIndex usable_;
  BitIndex with_free_slot_;  // the usable ones; kept where nodes have queues
  std::uint64_t slots_ = 0;
  std::uint64_t free_slots_ = 0;  // as seen, of nodes that are up
  std::uint64_t busy_slots_ = 0;
  std::uint64_t placed_ = 0;
  Resources allocated_;
};

}  // namespace somnus
