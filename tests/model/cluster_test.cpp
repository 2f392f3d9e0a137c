#include "model/cluster.hpp"

#include <gtest/gtest.h>

namespace somnus {
namespace {

TEST(Cluster, NumbersItsNodesThroughTheGroupsInOrder) {
  const Cluster cluster{.groups = {{.name = "old", .count = 2, .slots = 4, .slowdown = 1.5},
                                   {.name = "new", .count = 3, .slots = 8}},
                        .resources = {}};
  EXPECT_EQ(cluster.node_count(), 5U);
  EXPECT_EQ(cluster.slot_count(), 2U * 4 + 3 * 8);
  EXPECT_EQ(cluster.group_of(NodeId(0U)), GroupId(0U));
  EXPECT_EQ(cluster.group_of(NodeId(1U)), GroupId(0U));
  EXPECT_EQ(cluster.group_of(NodeId(2U)), GroupId(1U));
  EXPECT_EQ(cluster.group_of(NodeId(4U)), GroupId(1U));
  EXPECT_EQ(cluster.node(NodeId(1U)).name, "old");
  EXPECT_EQ(cluster.node(NodeId(2U)).name, "new");
}

}  // namespace
}  // namespace somnus
