#include "model/node_table.hpp"

namespace somnus {

NodeTable::NodeTable(const Cluster& cluster)
    : kinds_(cluster.resources.size()), slots_(cluster.slot_count()) {
  nodes_.reserve(cluster.node_count());
  for (const NodeGroup& group : cluster.groups) {
    const GroupId id(capacities_.size());
    capacities_.push_back(group.capacity);
    const std::uint32_t slots = group.slots > 0 ? group.slots : no_limit;
    nodes_.resize(nodes_.size() + group.count, {.slots = slots, .placed = 0, .group = id});
    if (kinds_ > 0) free_.resize(nodes_.size(), group.capacity);
  }
}

void NodeTable::take_amounts(NodeId node, const Resources& demand) {
  free_[node.index()] -= demand;
  allocated_ += demand;
}

void NodeTable::give_amounts(NodeId node, const Resources& demand) {
  free_[node.index()] += demand;
  allocated_ -= demand;
}

}  // namespace somnus
