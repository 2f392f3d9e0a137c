// The scheduler's books on nodes: what it launched there and what was reported, no more. The
// emulated truth of a node lives in workers/.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bit_index.hpp"
#include "base/ids.hpp"
#include "model/cluster.hpp"

namespace somnus {

/// When the scheduler may use a node's room.
enum class Feedback {
  at_once,    // always
  heartbeat,  // only in the round in which the node's heartbeat has come
};

class NodeTable {
 public:
  NodeTable(const Cluster& cluster, Feedback feedback);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  [[nodiscard]] bool up(NodeId node) const { return nodes_[node.index()].up; }
  [[nodiscard]] std::uint32_t free_slots(NodeId node) const {
    return nodes_[node.index()].free_slots;
  }
  [[nodiscard]] const Resources& free(NodeId node) const { return nodes_[node.index()].free; }
  [[nodiscard]] std::uint64_t busy_slots() const { return busy_slots_; }
  [[nodiscard]] const Resources& allocated() const { return allocated_; }

  /// Whether it may be used now and has a free slot.
  [[nodiscard]] bool usable(NodeId node) const { return usable_.contains(node.value()); }
  [[nodiscard]] bool any_usable() const { return !usable_.empty(); }
  /// The first usable node from this one on; invalid if there is none.
  [[nodiscard]] NodeId first_usable(NodeId from = NodeId(0U)) const {
    return NodeId(usable_.first(from.value()));
  }
  [[nodiscard]] bool fits(NodeId node, const Resources& demand) const {
    return usable(node) && (!vectors_ || demand.fits_in(free(node)));
  }

  // Changes, by the engine.
  void take(NodeId node, const Resources& demand);
  void give(NodeId node, const Resources& demand);
  void offer(NodeId node);
  /// The round is over: with heartbeats, no node may be used until its next one.
  void withdraw_offers();
  void lose(NodeId node);
  void restore(NodeId node);

 private:
  struct NodeState {
    Resources free;
    std::uint32_t free_slots = 0;
    bool up = true;
    bool offered = false;
  };
  void update(NodeId node);

  Feedback feedback_;
  bool vectors_;  // more than slots counts
  std::vector<NodeState> nodes_;
  std::vector<NodeId> offers_;
  BitIndex usable_;
  std::uint64_t busy_slots_ = 0;
  Resources allocated_;
};

}  // namespace somnus
