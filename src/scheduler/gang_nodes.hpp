// Where the tasks of a gang may go.
#pragma once

#include <vector>

#include "base/ids.hpp"
#include "scheduler/policy.hpp"

namespace somnus {

/// Nodes for all tasks of the gang, one for each: of the nodes that its stage prefers, then of all
/// others in order of their numbers, each as often as it has room. Empty if they do not all find
/// room now. An exclusive one's are idle. O(nodes with a free slot); where only slots count,
/// O(nodes that it takes).
[[nodiscard]] std::vector<NodeId> nodes_in_turn(StageId gang, const PlacementView& view);

}  // namespace somnus
