// Any free slot: the first node, by number, that has room for the task; of the nodes that its stage
// prefers, if one of them has. For slots that are all alike this is as good as any other choice.
// Where nodes have queues, and no slot is free anywhere, the first with room in its queue. A gang
// takes what each of these nodes in turn has room for.
#pragma once

#include <vector>

#include "scheduler/environment.hpp"
#include "scheduler/gang_nodes.hpp"
#include "scheduler/placement.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

class AnyFree final : public Placement {
 public:
  static constexpr PlacementTraits traits{.places_gangs = true, .heeds_demands = true};

  [[nodiscard]] NodeId choose(StageId stage, const PlacementView& view) override {
    const NodeView& nodes = view.nodes;
    const Demand& demand = view.stages.demand(stage);
    const auto preferred = view.stages.affinity_of(stage);
    for (const NodeId node : preferred) {
      if (nodes.free_slots(node) > 0 && nodes.fits(node, demand.amounts)) return node;
    }
    const NodeId node = nodes.first_with_room(demand);
    if (node.valid() || !nodes.queue() || !nodes.takes_tasks()) return node;
    for (const NodeId each : preferred) {
      if (nodes.usable(each)) return each;
    }
    return nodes.first_usable();
  }
  [[nodiscard]] std::vector<NodeId> choose_for_gang(StageId stage,
                                                    const PlacementView& view) override {
    return nodes_in_turn(stage, view);
  }
};

}  // namespace somnus
