#include "model/node_table.hpp"

namespace somnus {

NodeTable::NodeTable(const Cluster& cluster, Feedback feedback)
    : feedback_(feedback), vectors_(!cluster.resources.empty()), usable_(cluster.node_count()) {
  nodes_.reserve(cluster.node_count());
  for (const NodeGroup& group : cluster.groups) {
    for (std::uint32_t at = 0; at < group.count; ++at) {
      nodes_.push_back({.free = group.capacity, .free_slots = group.slots});
      update(NodeId(nodes_.size() - 1));
    }
  }
}

void NodeTable::take(NodeId node, const Resources& demand) {
  NodeState& state = nodes_[node.index()];
  --state.free_slots;
  ++busy_slots_;
  if (vectors_) {
    state.free -= demand;
    allocated_ += demand;
  }
  if (state.free_slots == 0) usable_.erase(node.value());
}

void NodeTable::give(NodeId node, const Resources& demand) {
  NodeState& state = nodes_[node.index()];
  ++state.free_slots;
  --busy_slots_;
  if (vectors_) {
    state.free += demand;
    allocated_ -= demand;
  }
  if (state.free_slots == 1) update(node);
}

void NodeTable::offer(NodeId node) {
  NodeState& state = nodes_[node.index()];
  if (state.offered) return;
  state.offered = true;
  offers_.push_back(node);
  update(node);
}

void NodeTable::withdraw_offers() {
  for (const NodeId node : offers_) {
    nodes_[node.index()].offered = false;
    update(node);
  }
  offers_.clear();
}

void NodeTable::lose(NodeId node) {
  nodes_[node.index()].up = false;
  update(node);
}

void NodeTable::restore(NodeId node) {
  nodes_[node.index()].up = true;
  update(node);
}

void NodeTable::update(NodeId node) {
  const NodeState& state = nodes_[node.index()];
  const bool may_be_used = feedback_ == Feedback::at_once || state.offered;
  if (state.up && state.free_slots > 0 && may_be_used) {
    usable_.insert(node.value());
  } else {
    usable_.erase(node.value());
  }
}

}  // namespace somnus
