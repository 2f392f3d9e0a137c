// Which node has room, against looking at all of them.
#include "scheduler/room.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "harness/builders.hpp"
#include "harness/property.hpp"

namespace somnus::harness {
namespace {

/// All nodes looked at, one by one.
class EveryNode {
 public:
  explicit EveryNode(std::uint32_t nodes) : free_(nodes) {}
  void set(NodeId node, const Resources& free) { free_[node.index()] = free; }
  void close(NodeId node) { free_[node.index()].reset(); }
  [[nodiscard]] NodeId first(const Demand& demand) const {
    for (std::size_t node = 0; node < free_.size(); ++node) {
      if (free_[node] && demand.amounts.fits_in(*free_[node])) return NodeId(node);
    }
    return {};
  }

 private:
  std::vector<std::optional<Resources>> free_;
};

Resources drawn(std::size_t kinds, int most) {
  Resources amounts;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    amounts.set(kind, *rc::gen::inRange(0, most + 1));
  }
  return amounts;
}

TEST(Room, IsFoundWhereItIsWhateverHappenedBefore) {
  check_law({.cases = 300, .largest = 100}, [] {
    const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 40);
    const auto kinds = *rc::gen::inRange<std::size_t>(1, 4);
    Room room(nodes, kinds);
    EveryNode all(nodes);
    DemandTable demands;
    for (int amount = 10; amount < 70; ++amount) demands.add(amounts({double(amount)}));
    std::vector<DemandId> asked{DemandId(0U)};  // and of two blocks
    for (int demand = 0; demand < 4; ++demand) asked.push_back(demands.add(drawn(kinds, 6)));
    const int bursts = *rc::gen::inRange(0, 60);
    for (int burst = 0; burst < bursts; ++burst) {
      const int changes = *rc::gen::inRange(0, 6);
      for (int change = 0; change < changes; ++change) {
        const NodeId node(*rc::gen::inRange<std::uint32_t>(0, nodes));
        if (*rc::gen::inRange(0, 5) == 0) {
          room.close(node);
          all.close(node);
        } else {
          const Resources free = drawn(kinds, 6);
          room.set(node, free);
          all.set(node, free);
        }
      }
      const DemandId demand = *rc::gen::elementOf(asked);
      RC_ASSERT(room.first(demands[demand]) == all.first(demands[demand]));
      const std::size_t place = demand.index() % DemandBlock::size;
      const DemandBlock::Set may_fit = room.may_fit(demand.index() / DemandBlock::size);
      RC_ASSERT((may_fit >> place & 1U) == (all.first(demands[demand]).valid() ? 1U : 0U));
    }
    for (const DemandId demand : asked) {
      RC_ASSERT(room.first(demands[demand]) == all.first(demands[demand]));
    }
  });
}

TEST(Room, IsNotForgottenWhenMoreNodesGrewThanAnybodyLooksThrough) {
  constexpr std::uint32_t nodes = 100;
  Room room(nodes, 1);
  DemandTable demands;
  const DemandId small = demands.add(amounts({1}));
  const DemandId large = demands.add(amounts({3}));
  for (int times = 0; times < 1'000; ++times) {
    EXPECT_FALSE(room.first(demands[large]).valid());
    for (std::uint32_t node = 0; node < nodes; ++node) room.set(NodeId(node), amounts({2}));
    for (std::uint32_t node = 0; node < nodes; ++node) {
      ASSERT_EQ(room.first(demands[small]), NodeId(node));
      room.close(NodeId(node));
    }
    if (times % 2 == 0) continue;  // so that what is known of `small` is old, or is not
    EXPECT_FALSE(room.first(demands[small]).valid());
  }
}

TEST(Room, IsNowhereForATaskThatAsksForNothingWhileNoNodeMayBeUsed) {
  Room room(3, 2);
  const DemandTable demands;
  EXPECT_FALSE(room.first(demands[DemandId(0U)]).valid());
  room.set(NodeId(2U), amounts({0, 0}));
  EXPECT_EQ(room.first(demands[DemandId(0U)]), NodeId(2U));
}

}  // namespace
}  // namespace somnus::harness
