#include "model/node_table.hpp"

namespace somnus {

NodeTable::NodeTable(const Cluster& cluster)
    : kinds_(cluster.resources.size()), slots_(cluster.slot_count()) {
  nodes_.reserve(cluster.node_count());
  for (const NodeGroup& group : cluster.groups) {
    const GroupId id(capacities_.size());
    capacities_.push_back(group.capacity);
    nodes_.resize(
        nodes_.size() + group.count,
        {.free = group.capacity, .slots = group.slots > 0 ? group.slots : no_limit, .group = id});
  }
}

void NodeTable::take(NodeId node, const Resources& demand) {
  NodeState& state = nodes_[node.index()];
  ++placed_;
  if (state.placed++ < state.slots) ++busy_slots_;
  if (kinds_ == 0) return;
  state.free -= demand;
  allocated_ += demand;
}

void NodeTable::give(NodeId node, const Resources& demand) {
  NodeState& state = nodes_[node.index()];
  --placed_;
  if (--state.placed < state.slots) --busy_slots_;
  if (kinds_ == 0) return;
  state.free += demand;
  allocated_ -= demand;
}

}  // namespace somnus
