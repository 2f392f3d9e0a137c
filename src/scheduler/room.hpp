// Which node has room for a task, where resources are vectors.
//
// Of 64 demands at a time each node has the set of those that fit there, and in a tree over the
// nodes each inner place has the union of the sets below it. So a node that changes is looked at
// once, whatever the number of demands that wait; a demand that fits nowhere is not in the root's
// set; and the first node that it fits is found by going down. A demand that is asked about for the
// first time is in all sets, and leaves those of nodes without room as they are found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "model/demand_table.hpp"
#include "scheduler/demand_block.hpp"

namespace somnus {

class Room {
 public:
  /// Of nodes that may not be used.
  Room(std::uint32_t nodes, std::size_t kinds);

  void set(NodeId node, const Resources& free);
  /// It may not be used.
  void close(NodeId node);
  /// The first node with room for such a task, by number; invalid if there is none.
  [[nodiscard]] NodeId first(const Demand& demand) const {
    if (last_.demand != demand.id || last_.changes != changes_) {
      last_ = {.demand = demand.id, .changes = changes_, .node = find(demand)};
    }
    return last_.node;
  }
  /// Of the demands from DemandBlock::size * block on: all for which some node has room; and those
  /// about which first() has not been asked in vain yet.
  [[nodiscard]] DemandBlock::Set may_fit(std::size_t block) const {
    return known(block).fitting.back();
  }
  /// The same for room on that node.
  [[nodiscard]] DemandBlock::Set may_fit(std::size_t block, NodeId node) const {
    return known(block).fitting[node.index()];
  }

 private:
  /// What is known of some demands.
  struct Block {
    DemandBlock demands;
    std::vector<DemandBlock::Set> fitting;  // by place in the tree; empty: nothing is known
    bool asked = false;                     // since the last time that blocks were forgotten
  };

  /// A query's, for who asks next.
  struct Answer {
    DemandId demand;
    std::uint64_t changes = 0;  // before it
    NodeId node;
  };

  void changed(std::size_t node);
  void forget_what_nobody_asks();
  [[nodiscard]] Block& known(std::size_t block) const {
    if (block >= blocks_.size() || blocks_[block].fitting.empty()) begin(block);
    blocks_[block].asked = true;
    return blocks_[block];
  }
  void begin(std::size_t block) const;
  [[nodiscard]] NodeId find(const Demand& demand) const;
  [[nodiscard]] bool holds(std::size_t node, const Resources& demand) const;
  void put(Block& block, std::size_t node, DemandBlock::Set fitting) const;

  static constexpr std::size_t arity = 8;  // children are one cache line

  std::size_t kinds_;
  std::vector<std::size_t> levels_;  // of the tree: where its places begin, the nodes first
  std::vector<std::int64_t> free_;   // by node and kind
  std::uint64_t changes_ = 0;
  // What queries find out.
  mutable std::vector<Block> blocks_;
  mutable Answer last_;
};

}  // namespace somnus
