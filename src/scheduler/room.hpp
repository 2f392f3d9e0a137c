// Which node has room for a task, where resources are vectors.
//
// A tree over the nodes that may be used has, in each of its inner nodes, the most of each kind
// that one of those below it has free, so most nodes without room are never visited. But the most
// of two kinds may be free on different nodes, and then a search is long. So the result for a
// demand is kept: nodes up to some number have no room for it, except those that have grown since
// (a task ended there, or the node may be used again). A stage for which there is no room costs
// nothing while no node grows, and one test of each node that does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "model/demand_table.hpp"

namespace somnus {

class Room {
 public:
  /// Of nodes that may not be used.
  Room(std::uint32_t nodes, std::size_t kinds);

  void set(NodeId node, const Resources& free);
  /// It may not be used.
  void close(NodeId node);
  /// The first node with room for such a task, by number; invalid if there is none.
  [[nodiscard]] NodeId first(const Demand& demand) const;

 private:
  /// What is known of a demand: nodes before `from` have no room for it, but for those that stand
  /// from `looked` on among the grown.
  struct Known {
    std::size_t from = 0;
    std::uint64_t looked = 0;
  };

  [[nodiscard]] bool holds(std::size_t place, const Resources& demand) const;
  [[nodiscard]] bool holds(NodeId node, const Resources& demand) const {
    return holds(leaves_ + node.index(), demand);
  }
  [[nodiscard]] std::size_t first_below(std::size_t place, const Resources& demand) const;
  [[nodiscard]] std::size_t first_from(std::size_t node, const Resources& demand) const;
  [[nodiscard]] NodeId first_of_grown(Known& known, const Resources& demand) const;
  void update_above(std::size_t place);
  void sort_the_latest() const;
  [[nodiscard]] std::uint64_t growths() const { return forgotten_ + grown_.size(); }

  std::size_t kinds_;
  std::size_t leaves_;              // a power of two; also "no node"
  std::vector<std::int64_t> most_;  // by place in the tree and kind; the root is place 1
  // What queries find out.
  mutable std::vector<NodeId> grown_;    // in order of time, those between two queries by number
  mutable std::uint64_t forgotten_ = 0;  // how many grew before these
  mutable std::uint64_t latest_ = 0;     // those that grew between the last two queries
  mutable std::uint64_t sorted_ = 0;     // up to there
  mutable std::vector<Known> known_;     // by demand
};

}  // namespace somnus
