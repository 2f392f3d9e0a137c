#include "model/cluster.hpp"

#include "base/error.hpp"

namespace somnus {

std::uint32_t Cluster::node_count() const {
  std::uint32_t nodes = 0;
  for (const NodeGroup& group : groups) nodes += group.count;
  return nodes;
}

std::uint64_t Cluster::slot_count() const {
  std::uint64_t slots = 0;
  for (const NodeGroup& group : groups) slots += std::uint64_t{group.count} * group.slots;
  return slots;
}

ResourceTotals Cluster::capacity() const {
  ResourceTotals sum;
  for (const NodeGroup& group : groups) sum.add(group.capacity, group.count);
  return sum;
}

GroupId Cluster::group_of(NodeId node) const {
  std::uint32_t first = 0;
  for (std::size_t index = 0; index < groups.size(); ++index) {
    first += groups[index].count;
    if (node.value() < first) return GroupId(index);
  }
  throw Bug(fmt::format("node {} is not in the cluster of {}", node.value(), first));
}

}  // namespace somnus
