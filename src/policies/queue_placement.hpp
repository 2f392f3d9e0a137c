// Placement by load: Yaq's Algorithm 1 (section 3.2; policies.md 4.1).
//
//     if free slots / all slots > free_share:  the node with most free slots, preferred ones first
//     else:                                    the node with the greatest  affinity / load
//                                              (an empty queue's load is the least there is)
//
// load is the number of tasks in the node's queue ("queue-length") or the estimated wait there
// ("queue-wait", s). affinity is 1 for the nodes that the stage prefers and `elsewhere` for all
// others; without preferences it is 1 everywhere. Of equally good nodes the one chosen longest ago.
//
// Nodes that may be used now stand in a heap by load, so a choice costs O(log nodes), never a scan.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "base/indexed_heap.hpp"
#include "scheduler/environment.hpp"
#include "scheduler/placement.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

enum class NodeLoad { length, wait };

struct QueuePlacementRules {
  double free_share = 0;
  double elsewhere = 0.5;

  static constexpr auto fields() {
    using R = QueuePlacementRules;
    return in_order(
        field("free_share", &R::free_share, "1",
              "tasks are queued only when no larger share of all slots is free", probability),
        field("elsewhere", &R::elsewhere, "1",
              "affinity of nodes that a stage with preferences does not prefer",
              Range{.low = 0, .high = 1, .open = true}));
  }
  [[nodiscard]] static PlacementTraits traits() { return {}; }
};

class QueuePlacement : public Placement {
 public:
  using Rules = QueuePlacementRules;
  QueuePlacement(NodeLoad load, const Rules& rules) : load_(load), rules_(rules) {}

  [[nodiscard]] bool open(const PlacementView& view) const override {
    return view.nodes.takes_tasks(rules_.free_share);
  }
  [[nodiscard]] NodeId choose(StageId stage, const PlacementView& view) override;
  [[nodiscard]] bool follows_nodes() const override { return true; }
  void node_changed(NodeId node, const PlacementView& view) override;

 private:
  struct Key {
    bool full = false;  // no slot is free: after all others
    Ratio<std::int64_t> load{
        .over = 0,
        .under = 1};           // of the queue [tasks or ns]; of free nodes, minus their free slots
    std::uint64_t chosen = 0;  // when last, for a full node
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  [[nodiscard]] Key key(NodeId node, const PlacementView& view) const;
  [[nodiscard]] NodeId best(StageId stage, const PlacementView& view) const;
  [[nodiscard]] NodeId best_preferred(StageId stage, const PlacementView& view) const;

  NodeLoad load_;
  Rules rules_;
  IndexedHeap<Key> heap_;  // nodes that may be used
  std::vector<std::uint64_t> chosen_;
  std::uint64_t choices_ = 0;
};

template <NodeLoad load>
class PlacementBy final : public QueuePlacement {
 public:
  PlacementBy(const Rules& rules, const Environment&) : QueuePlacement(load, rules) {}
};

}  // namespace somnus
