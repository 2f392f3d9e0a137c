// What a manager of jobs sees of nodes: free slots, queues and the waits in them, and which nodes
// may be used now. It may be old, and two managers may see different things: a feedback
// (feedback.hpp) makes the view; orders, placements and whole policies read it. Where nodes have
// queues, one without a free slot still has room as long as its queue's bound allows.
//
// What every manager knows, such as a node's capacity or that it is lost, is in the NodeTable. So
// are the free amounts of resources, since worker queues go without resources.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bit_index.hpp"
#include "base/fetch.hpp"
#include "base/grid.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/demand_table.hpp"
#include "model/node_table.hpp"
#include "queueing/rules.hpp"
#include "scheduler/room.hpp"

namespace somnus {

class NodeView {
 public:
  /// Of idle nodes that may all be used. queue: of each node; none: a node holds no task that it
  /// can't start. The books must outlive the view.
  explicit NodeView(const NodeTable& books, std::optional<QueueRules> queue = {});

  // Facts.
  [[nodiscard]] std::uint32_t count() const { return books_.count(); }
  [[nodiscard]] bool up(NodeId node) const { return books_.up(node); }
  [[nodiscard]] std::uint32_t slots(NodeId node) const { return books_.slots(node); }
  [[nodiscard]] const Resources& capacity(NodeId node) const { return books_.capacity(node); }
  [[nodiscard]] const Resources& free(NodeId node) const { return books_.free(node); }
  [[nodiscard]] const std::optional<QueueRules>& queue() const { return queue_; }

  // As seen.
  [[nodiscard]] std::uint32_t free_slots(NodeId node) const {
    return nodes_[node.index()].seen.free_slots;
  }
  [[nodiscard]] std::uint32_t queued(NodeId node) const { return nodes_[node.index()].seen.queued; }
  /// Of one more task in its queue: the work ahead of it, shared by the node's slots [ns].
  [[nodiscard]] Ratio<std::int64_t> wait(NodeId node) const {
    return {.over = nodes_[node.index()].seen.ahead.count(), .under = books_.slots(node)};
  }
  /// Of all nodes that are up.
  [[nodiscard]] std::uint64_t free_slots() const { return free_slots_; }
  /// The same, share of all slots.
  [[nodiscard]] double free_share() const {
    const auto slots = static_cast<double>(books_.slots());
    return slots > 0 ? static_cast<double>(free_slots_) / slots : 0;
  }

  /// Whether it may be used now and has room: a free slot, or a place in its queue.
  [[nodiscard]] bool usable(NodeId node) const { return ready(node) && round_is_open_; }
  /// The same, where only the round may not have begun: what an index of nodes goes by, as all of
  /// them become usable with the first heartbeat of a round.
  [[nodiscard]] bool ready(NodeId node) const { return nodes_[node.index()].ready; }
  /// Whether the feedback lets nodes be used in this round, full or not.
  [[nodiscard]] bool round_is_open() const { return round_is_open_; }
  [[nodiscard]] bool any_usable() const { return !ready_.empty() && round_is_open_; }
  /// The first usable node from this one on; invalid if there is none.
  [[nodiscard]] NodeId first_usable(NodeId from = NodeId(0U)) const {
    return round_is_open_ ? NodeId(ready_.first(from.value())) : NodeId();
  }
  /// The first usable node with a free slot from this one on; invalid if there is none.
  [[nodiscard]] NodeId first_free(NodeId from = NodeId(0U)) const {
    if (!queue_) return first_usable(from);
    return round_is_open_ ? NodeId(ready_and_free_.first(from.value())) : NodeId();
  }
  /// Whether a task should be placed now: some usable node has a free slot, or, as no more than
  /// that share of all slots is free, some has a place in its queue.
  [[nodiscard]] bool takes_tasks(double free_share_to_queue = 0) const {
    if (!any_usable()) return false;
    return !queue_ || !ready_and_free_.empty() || free_share() <= free_share_to_queue;
  }
  [[nodiscard]] bool fits(NodeId node, const Resources& demand) const {
    return usable(node) && books_.fits(node, demand);
  }
  /// How many such tasks the node can start now, at most `most`.
  [[nodiscard]] std::uint64_t room_for(const Resources& demand, std::uint64_t most,
                                       NodeId node) const {
    if (!usable(node)) return 0;
    const std::uint64_t slots = free_slots(node) < most ? free_slots(node) : most;
    return has_resources() ? free(node).holds(demand, slots) : slots;
  }
  /// Whether it may be used now, and nothing is on it.
  [[nodiscard]] bool is_idle(NodeId node) const { return usable(node) && books_.placed(node) == 0; }
  /// Whether resources count, and not only slots.
  [[nodiscard]] bool has_resources() const { return room_.has_value(); }
  /// Of the demands from DemandBlock::size * block on: all for which the usable node has room, and
  /// a few others. All if only slots count.
  [[nodiscard]] DemandBlock::Set may_fit(std::size_t block, NodeId node) const {
    return room_ ? room_->may_fit(block, node) : ~DemandBlock::Set{0};
  }
  /// The first usable node with room for such a task; invalid if there is none.
  [[nodiscard]] NodeId first_with_room(const Demand& demand) const {
    if (!room_) return first_free();
    return round_is_open_ ? room_->first(demand) : NodeId();
  }
  /// Of the demands from DemandBlock::size * block on: all for which some usable node has room,
  /// and a few others. All if only slots count.
  [[nodiscard]] DemandBlock::Set may_fit(std::size_t block) const {
    if (!room_) return ~DemandBlock::Set{0};
    return round_is_open_ ? room_->may_fit(block) : DemandBlock::Set{0};
  }

  /// A free slot, or a place in its queue, whether it may be used now or not.
  [[nodiscard]] bool has_room(NodeId node) const;

  /// It is about to change.
  [[gnu::always_inline]] void fetch(NodeId node) const {
    somnus::fetch(nodes_.data() + node.index());
  }

  // Changes, by the feedback.
  struct Seen {
    std::uint32_t free_slots = 0;
    std::uint32_t queued = 0;
    Duration ahead{};  // work before one more task, slot-time
  };
  [[nodiscard]] const Seen& seen(NodeId node) const { return nodes_[node.index()].seen; }
  void see(NodeId node, const Seen& now);
  /// Nothing else has changed.
  void see_free_slots(NodeId node, std::uint32_t now);
  /// Whether the node may be used as long as it has room.
  void allow(NodeId node, bool may_be_used);
  void open_round(bool open) { round_is_open_ = open; }
  /// The books say that the node is lost, or that it is back.
  void update(NodeId node);

  /// Nodes that have changed since the last call; kept only once somebody follows them.
  void follow_changes();
  [[nodiscard]] std::span<const NodeId> take_changes();

 private:
  struct State {
    Seen seen{};
    bool up = true;       // so its free slots are in free_slots_
    bool allowed = true;  // as long as it has room
    bool ready = false;   // is in ready_
  };
  [[nodiscard]] bool has_room(const State& node, std::uint32_t slots) const;
  void index(NodeId node, State& state);
  // Part of what changes a node, at each start and end of a task.
  [[gnu::always_inline]] void set_ready(NodeId node, State& state, bool ready) {
    if (ready == state.ready) return;
    state.ready = ready;
    ready ? ready_.insert(node.value()) : ready_.erase(node.value());
  }

  const NodeTable& books_;
  std::optional<QueueRules> queue_;
  bool slots_alone_count_;  // neither queues nor resources
  Duration most_wait_{};
  std::vector<State> nodes_;
  bool round_is_open_ = true;
  BitIndex ready_;
  BitIndex ready_and_free_;   // kept where nodes have queues
  std::optional<Room> room_;  // where resources count
  std::uint64_t free_slots_ = 0;
  bool followed_ = false;
  std::vector<NodeId> changes_;
  std::vector<NodeId> taken_;
};

}  // namespace somnus
