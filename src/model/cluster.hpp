// The emulated cluster: groups of like nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "model/resources.hpp"

namespace somnus {

struct NodeGroup {
  std::string name = "nodes";
  std::uint32_t count = 0;
  std::uint32_t slots = 1;  // of one node, a task each; 0: resources alone limit its tasks
  Resources capacity;       // of one node; zero where only slots count
  double slowdown = 1;      // a task takes that many times as long here
};

/// Nodes are numbered through the groups in order.
struct Cluster {
  std::vector<NodeGroup> groups;
  std::vector<std::string> resources;  // names of the kinds; empty: slots only

  [[nodiscard]] std::uint32_t node_count() const;
  /// 0 where resources alone limit nodes' tasks.
  [[nodiscard]] std::uint64_t slot_count() const;
  /// Of all nodes.
  [[nodiscard]] ResourceTotals capacity() const;
  [[nodiscard]] GroupId group_of(NodeId node) const;
  [[nodiscard]] const NodeGroup& node(NodeId node) const { return groups[group_of(node).index()]; }
};

}  // namespace somnus
