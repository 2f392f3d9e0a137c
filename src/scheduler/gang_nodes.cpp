#include "scheduler/gang_nodes.hpp"

#include <algorithm>

namespace somnus {

std::vector<NodeId> nodes_in_turn(StageId gang, const PlacementView& view) {
  const NodeView& nodes = view.nodes;
  const std::uint64_t tasks = view.stages.runnable(gang);
  if (nodes.free_slots() < tasks) return {};
  const Resources& demand = view.stages.demand(gang).amounts;
  std::vector<NodeId> chosen;
  chosen.reserve(tasks);
  const bool exclusive = view.stages.exclusive(gang);
  const auto take = [&](NodeId node) {
    if (exclusive && !nodes.is_idle(node)) return;
    chosen.insert(chosen.end(), nodes.room_for(demand, tasks - chosen.size(), node), node);
  };
  const auto preferred = view.stages.affinity_of(gang);
  std::ranges::for_each(preferred, take);
  for (NodeId node = nodes.first_free(); node.valid() && chosen.size() < tasks;
       node = nodes.first_free(NodeId(node.value() + 1))) {
    if (std::ranges::find(preferred, node) == preferred.end()) take(node);
  }
  if (chosen.size() < tasks) chosen.clear();
  return chosen;
}

}  // namespace somnus
