#include "model/node_table.hpp"

#include <gtest/gtest.h>

#include "harness/builders.hpp"

namespace somnus {
namespace {

using harness::amounts;
using harness::cluster;

TEST(NodeTable, CountsTasksBeyondTheSlotsAsQueued) {
  NodeTable nodes(cluster(2, 2));
  for (int task = 0; task < 3; ++task) nodes.take(NodeId(0U), {});
  EXPECT_EQ(nodes.placed(NodeId(0U)), 3U);
  EXPECT_EQ(nodes.busy_slots(), 2U);
  EXPECT_EQ(nodes.queued_tasks(), 1U);
  nodes.give(NodeId(0U), {});
  EXPECT_EQ(nodes.busy_slots(), 2U);
  EXPECT_EQ(nodes.queued_tasks(), 0U);
  nodes.give(NodeId(0U), {});
  EXPECT_EQ(nodes.busy_slots(), 1U);
}

TEST(NodeTable, FitsByTheResourcesThatAreLeft) {
  const Cluster vectors{.groups = {{.count = 1, .slots = 8, .capacity = amounts({4, 10})}},
                        .resources = {"cpu", "mem_gb"}};
  NodeTable nodes(vectors);
  const NodeId node(0U);
  EXPECT_TRUE(nodes.fits(node, amounts({4, 10})));
  nodes.take(node, amounts({3, 1}));
  EXPECT_FALSE(nodes.fits(node, amounts({2, 1})));
  EXPECT_TRUE(nodes.fits(node, amounts({1, 9})));
  EXPECT_EQ(nodes.allocated(), ResourceTotals().add(amounts({3, 1}), 1));
  EXPECT_EQ(nodes.capacity(node), amounts({4, 10}));
  nodes.give(node, amounts({3, 1}));
  EXPECT_EQ(nodes.free(node), amounts({4, 10}));
}

}  // namespace
}  // namespace somnus
