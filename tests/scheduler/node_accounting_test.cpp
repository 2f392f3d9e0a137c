#include "scheduler/node_accounting.hpp"

#include <gtest/gtest.h>

#include "harness/seen_nodes.hpp"

namespace somnus {
namespace {

using harness::cluster;
using harness::Seen;
using namespace std::chrono_literals;

constexpr QueueRules unbounded{};

TEST(AtOnce, ANodeIsUsableWhileASlotIsFree) {
  Seen<AtOnce> nodes(cluster(2, 2));
  nodes.place(0);
  EXPECT_TRUE(nodes.usable(0));
  nodes.place(0);
  EXPECT_FALSE(nodes.usable(0));
  EXPECT_EQ(nodes.view().first_usable(), NodeId(1U));
  nodes.end(0);
  EXPECT_EQ(nodes.free(0), 1U);
  EXPECT_TRUE(nodes.usable(0));
}

TEST(AtOnce, ALostNodeIsNotUsableUntilItReturns) {
  Seen<AtOnce> nodes(cluster(1, 3));
  nodes.lose(0);
  EXPECT_FALSE(nodes.usable(0));
  EXPECT_EQ(nodes.view().free_share(), 0);
  nodes.restore(0);
  EXPECT_EQ(nodes.free(0), 3U);
  EXPECT_EQ(nodes.view().free_share(), 1);
  EXPECT_TRUE(nodes.usable(0));
}

TEST(AtHeartbeat, ANodeIsUsableOnlyInTheRoundOfItsOwnHeartbeat) {
  Seen<AtHeartbeat> nodes(cluster(2));
  EXPECT_FALSE(nodes.view().any_usable());
  nodes.report(1);
  EXPECT_TRUE(nodes.usable(1));
  EXPECT_FALSE(nodes.usable(0));
  nodes.round_ends();
  EXPECT_FALSE(nodes.view().any_usable());
}

TEST(AtAnyHeartbeat, AllNodesAreUsableInTheRoundOfAnyHeartbeat) {
  Seen<AtAnyHeartbeat> nodes(cluster(2));
  EXPECT_FALSE(nodes.view().any_usable());
  nodes.report(1);
  EXPECT_TRUE(nodes.usable(0));
  EXPECT_TRUE(nodes.usable(1));
  nodes.round_ends();
  EXPECT_FALSE(nodes.view().any_usable());
}

TEST(NodeAccounting, ATaskAddsToTheWaitWhenItIsPlacedAlsoOnAFreeSlot) {
  Seen<AtOnce> nodes(cluster(1, 2), unbounded);
  nodes.place(0, 100s);
  EXPECT_DOUBLE_EQ(nodes.wait_s(0), 50);
  nodes.place(0, 10s);
  nodes.place(0, 10s);
  EXPECT_DOUBLE_EQ(nodes.wait_s(0), 60);
  EXPECT_EQ(nodes.queued(0), 1U);
}

TEST(NodeAccounting, AReportReplacesTheWaitOfWhatTheNodeKnows) {
  Seen<AtOnce> nodes(cluster(1, 2), unbounded);
  for (int task = 0; task < 4; ++task) nodes.place(0, 10s);
  nodes.report(0, 2, 1, 7);  // the fourth has yet to come
  EXPECT_DOUBLE_EQ(nodes.wait_s(0), 7 + 10.0 / 2);
  nodes.report(0, 2, 2, 11);
  EXPECT_DOUBLE_EQ(nodes.wait_s(0), 11);
}

TEST(NodeAccounting, ABoundOnTheWaitHoldsAgainstTasksThatJustFilledTheNode) {
  Seen<AtOnce> nodes(cluster(1), QueueRules{.bound = QueueBound::delay, .max_wait_s = 3});
  nodes.place(0, 100s);
  EXPECT_FALSE(nodes.usable(0)) << "a second task would wait 100 s";
}

TEST(NodeAccounting, ABoundOnTheWaitIsExact) {
  Seen<AtOnce> nodes(cluster(1), QueueRules{.bound = QueueBound::delay, .max_wait_s = 10});
  nodes.place(0, 9400ms);
  for (int task = 0; task < 6; ++task) {
    EXPECT_TRUE(nodes.usable(0)) << task;
    nodes.place(0, 100ms);
  }
  EXPECT_FALSE(nodes.usable(0)) << "9.4 s + 6 x 0.1 s is not less than 10 s";
}

TEST(NodeView, TasksGoToQueuesOnlyWhenNoSlotIsFreeAnywhere) {
  Seen<AtHeartbeat> nodes(cluster(2), unbounded);
  nodes.report(0);
  nodes.place(0, 10s);
  EXPECT_TRUE(nodes.usable(0));
  EXPECT_FALSE(nodes.view().takes_tasks()) << "node 1 has a free slot, though it may not be used";
  EXPECT_TRUE(nodes.view().takes_tasks(0.5));
  nodes.report(1);
  EXPECT_TRUE(nodes.view().takes_tasks());
}

}  // namespace
}  // namespace somnus
