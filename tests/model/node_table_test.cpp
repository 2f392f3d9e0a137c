#include "model/node_table.hpp"

#include <gtest/gtest.h>

#include "harness/builders.hpp"

namespace somnus {
namespace {

using harness::amounts;
using harness::cluster;

TEST(NodeTable, CountsSlotsDownAndUp) {
  NodeTable nodes(cluster(2, 2), Feedback::at_once);
  EXPECT_EQ(nodes.first_usable(), NodeId(0U));
  nodes.take(NodeId(0U), {});
  EXPECT_TRUE(nodes.usable(NodeId(0U)));
  nodes.take(NodeId(0U), {});
  EXPECT_FALSE(nodes.usable(NodeId(0U)));
  EXPECT_EQ(nodes.first_usable(), NodeId(1U));
  EXPECT_EQ(nodes.busy_slots(), 2U);
  nodes.give(NodeId(0U), {});
  EXPECT_EQ(nodes.free_slots(NodeId(0U)), 1U);
  EXPECT_TRUE(nodes.usable(NodeId(0U)));
}

TEST(NodeTable, FitsByTheResourcesThatAreLeft) {
  const Cluster vectors{.groups = {{.count = 1, .slots = 8, .capacity = amounts({4, 10})}},
                        .resources = {"cpu", "mem_gb"}};
  NodeTable nodes(vectors, Feedback::at_once);
  const NodeId node(0U);
  EXPECT_TRUE(nodes.fits(node, amounts({4, 10})));
  nodes.take(node, amounts({3, 1}));
  EXPECT_FALSE(nodes.fits(node, amounts({2, 1})));
  EXPECT_TRUE(nodes.fits(node, amounts({1, 9})));
  EXPECT_EQ(nodes.allocated(), amounts({3, 1}));
  nodes.give(node, amounts({3, 1}));
  EXPECT_EQ(nodes.free(node), amounts({4, 10}));
}

TEST(NodeTable, WithHeartbeatsANodeIsUsableOnlyInTheRoundOfItsOffer) {
  NodeTable nodes(cluster(2), Feedback::heartbeat);
  EXPECT_FALSE(nodes.any_usable());
  nodes.offer({.node = NodeId(1U)});
  EXPECT_TRUE(nodes.usable(NodeId(1U)));
  EXPECT_FALSE(nodes.usable(NodeId(0U)));
  nodes.withdraw_offers();
  EXPECT_FALSE(nodes.any_usable());
}

TEST(NodeTable, ALostNodeIsNotUsableUntilItReturnsAndThenIsEmpty) {
  NodeTable nodes(cluster(1, 3), Feedback::at_once);
  const NodeId node(0U);
  nodes.lose(node);
  EXPECT_FALSE(nodes.up(node));
  EXPECT_FALSE(nodes.usable(node));
  nodes.restore(node);
  EXPECT_TRUE(nodes.up(node));
  EXPECT_EQ(nodes.free_slots(node), 3U);
  EXPECT_TRUE(nodes.usable(node));
}

}  // namespace
}  // namespace somnus
