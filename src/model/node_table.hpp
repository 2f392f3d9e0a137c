// The scheduler's state of nodes: the tasks that it placed there and that are not reported as
// ended. What a manager of jobs sees of them is a NodeView (src/scheduler); the emulated node
// itself is in workers/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/fetch.hpp"
#include "base/ids.hpp"
#include "model/cluster.hpp"

namespace somnus {

class NodeTable {
 public:
  static constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

  explicit NodeTable(const Cluster& cluster);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  [[nodiscard]] bool up(NodeId node) const { return nodes_[node.index()].up; }
  /// no_limit where resources alone limit its tasks.
  [[nodiscard]] std::uint32_t slots(NodeId node) const { return nodes_[node.index()].slots; }
  [[nodiscard]] const Resources& capacity(NodeId node) const {
    return capacities_[nodes_[node.index()].group.index()];
  }
  /// What its tasks, running or queued, leave of the capacity.
  [[nodiscard]] const Resources& free(NodeId node) const {
    static constexpr Resources nothing;
    return free_.empty() ? nothing : free_[node.index()];
  }
  [[nodiscard]] bool fits(NodeId node, const Resources& demand) const {
    return kinds_ == 0 || demand.fits_in(free(node));
  }
  /// How many kinds of resources there are; 0: only slots count.
  [[nodiscard]] std::size_t kinds() const { return kinds_; }
  /// Tasks running or queued there.
  [[nodiscard]] std::uint32_t placed(NodeId node) const { return nodes_[node.index()].placed; }

  /// A task there is about to end.
  [[gnu::always_inline]] void fetch(NodeId node) const {
    somnus::fetch(nodes_.data() + node.index());
  }

  // All nodes together.
  /// 0 where resources alone limit nodes' tasks.
  [[nodiscard]] std::uint64_t slots() const { return slots_; }
  /// Those with a task, or the tasks that run where there are no slots.
  [[nodiscard]] std::uint64_t busy_slots() const { return busy_slots_; }
  [[nodiscard]] std::uint64_t queued_tasks() const { return placed_ - busy_slots_; }
  [[nodiscard]] const ResourceTotals& allocated() const { return allocated_; }

  // Changes, by the engine.
  void take(NodeId node, const Resources& demand) {
    NodeState& state = nodes_[node.index()];
    ++placed_;
    if (state.placed++ < state.slots) ++busy_slots_;
    if (kinds_ > 0) take_amounts(node, demand);
  }
  void give(NodeId node, const Resources& demand) {
    NodeState& state = nodes_[node.index()];
    --placed_;
    if (--state.placed < state.slots) --busy_slots_;
    if (kinds_ > 0) give_amounts(node, demand);
  }
  /// All that an idle node has, for a first task.
  void take_whole(NodeId node) {
    NodeState& state = nodes_[node.index()];
    state.placed = slots(node) == no_limit ? 1 : slots(node);
    placed_ += state.placed;
    busy_slots_ += state.placed;
    if (kinds_ > 0) take_amounts(node, capacity(node));
  }
  /// One more task, beside the one that has all.
  void take_beside(NodeId node) {
    if (slots(node) == no_limit) take(node, {});
  }
  void give_whole(NodeId node) {
    NodeState& state = nodes_[node.index()];
    placed_ -= state.placed;
    busy_slots_ -= std::exchange(state.placed, 0);
    if (kinds_ > 0) give_amounts(node, capacity(node));
  }
  void lose(NodeId node) { nodes_[node.index()].up = false; }
  void restore(NodeId node) { nodes_[node.index()].up = true; }

 private:
  void take_amounts(NodeId node, const Resources& demand);
  void give_amounts(NodeId node, const Resources& demand);

  struct NodeState {
    std::uint32_t slots = 0;
    std::uint32_t placed = 0;
    GroupId group;
    bool up = true;
  };

  std::size_t kinds_;
  std::vector<NodeState> nodes_;
  std::vector<Resources> free_;        // by node, where resources count
  std::vector<Resources> capacities_;  // by group
  std::uint64_t slots_ = 0;
  std::uint64_t busy_slots_ = 0;
  std::uint64_t placed_ = 0;
  ResourceTotals allocated_;
};

}  // namespace somnus
