#include "policies/queue_placement.hpp"

#include "scheduler/rows.hpp"

namespace somnus {
namespace {

double value(const Ratio<std::int64_t>& load) {
  return static_cast<double>(load.over) / static_cast<double>(load.under);
}

}  // namespace

NodeId QueuePlacement::choose(StageId stage, const PlacementView& view) {
  const NodeId node = best(stage, view);
  if (!node.valid()) return {};
  if (node.index() >= chosen_.size()) chosen_.resize(view.nodes.count());
  chosen_[node.index()] = ++choices_;
  return node;
}

NodeId QueuePlacement::best(StageId stage, const PlacementView& view) const {
  if (heap_.empty() || !open(view)) return {};
  const NodeId least(heap_.top().index);
  const NodeId preferred = best_preferred(stage, view);
  if (!preferred.valid()) return least;
  const Key there = key(preferred, view);
  const Key elsewhere = heap_.top().key;
  if (there.full != elsewhere.full) return elsewhere.full ? preferred : least;
  if (!there.full) return preferred;
  // 1 / load there >= elsewhere / load elsewhere, also where a load is 0.
  return rules_.elsewhere * value(there.load) <= value(elsewhere.load) ? preferred : least;
}

NodeId QueuePlacement::best_preferred(StageId stage, const PlacementView& view) const {
  NodeId best;
  for (const NodeId node : view.stages.affinity_of(stage)) {
    if (!view.nodes.usable(node)) continue;
    const HeapEntry<Key> entry{key(node, view), node.value()};
    if (!best.valid() || entry < HeapEntry<Key>{key(best, view), best.value()}) best = node;
  }
  return best;
}

void QueuePlacement::node_changed(NodeId node, const PlacementView& view) {
  if (view.nodes.ready(node)) {
    heap_.put(node.value(), key(node, view));
  } else {
    heap_.erase(node.value());
  }
}

QueuePlacement::Key QueuePlacement::key(NodeId node, const PlacementView& view) const {
  const NodeView& nodes = view.nodes;
  const std::uint32_t free = nodes.free_slots(node);
  if (free > 0) return {.load = {.over = -std::int64_t{free}, .under = 1}};
  const auto load = load_ == NodeLoad::length
                        ? Ratio<std::int64_t>{.over = nodes.queued(node), .under = 1}
                        : nodes.wait(node);
  const std::uint64_t chosen = node.index() < chosen_.size() ? chosen_[node.index()] : 0;
  return {.full = true, .load = load, .chosen = chosen};
}

namespace {

const Registered<Part> queue_length = rows::placement<PlacementBy<NodeLoad::length>>(
    "queue-length", "a free slot, or else the node with the fewest queued tasks",
    "Yaq section 3.2");
const Registered<Part> queue_wait = rows::placement<PlacementBy<NodeLoad::wait>>(
    "queue-wait", "a free slot, or else the node with the least estimated wait", "Yaq section 3.2");

}  // namespace
}  // namespace somnus
