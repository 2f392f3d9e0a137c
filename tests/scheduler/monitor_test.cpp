#include "scheduler/monitor.hpp"

#include <gtest/gtest.h>

#include "harness/seen_nodes.hpp"

namespace somnus {
namespace {

using harness::cluster;
using harness::Seen;
using namespace std::chrono_literals;

constexpr JobId a(0U);
constexpr JobId b(1U);
constexpr JobId nobody;

TEST(Monitor, AManagerSeesItsOwnTasksOnTopOfTheLastReport) {
  Seen<Monitor> nodes(cluster(2, 2), QueueRules{});
  nodes.report(0, 1, 0, 0);
  nodes.place(0, 10s, 0);
  nodes.place(0, 10s, 0);
  nodes.use_view_of(a);
  EXPECT_EQ(nodes.free(0), 0U);
  EXPECT_EQ(nodes.queued(0), 1U);
  EXPECT_DOUBLE_EQ(nodes.wait_s(0), 10);
}

TEST(Monitor, OthersDoNotSeeThem) {
  Seen<Monitor> nodes(cluster(2, 2), QueueRules{});
  nodes.place(0, 10s, 0);
  for (const JobId other : {b, nobody}) {
    nodes.use_view_of(other);
    EXPECT_EQ(nodes.free(0), 2U);
    EXPECT_EQ(nodes.wait_s(0), 0);
  }
  nodes.use_view_of(a);
  EXPECT_EQ(nodes.free(0), 1U);
}

TEST(Monitor, TheNextReportTellsOfThem) {
  Seen<Monitor> nodes(cluster(2, 2), QueueRules{});
  nodes.place(0, 10s, 0);
  nodes.place(1, 10s, 0);
  nodes.report(0, 1, 0, 0);
  EXPECT_EQ(nodes.free(0), 1U) << "reported, and not once more its own";
  nodes.use_view_of(b);
  nodes.report(1, 0, 0, 0);  // sent before the task came
  nodes.use_view_of(a);
  EXPECT_EQ(nodes.free(0), 1U);
  EXPECT_EQ(nodes.free(1), 2U);
  nodes.place(0, 10s, 0);
  EXPECT_EQ(nodes.free(0), 0U);
}

TEST(Monitor, ABoundOnAQueueHoldsForWhatTheManagerPlacedItself) {
  Seen<Monitor> nodes(cluster(1), QueueRules{.bound = QueueBound::length, .length = 1});
  nodes.place(0, 10s, 0);
  EXPECT_TRUE(nodes.usable(0));
  nodes.place(0, 10s, 0);
  EXPECT_FALSE(nodes.usable(0)) << "one runs and one waits";
  nodes.use_view_of(b);
  EXPECT_TRUE(nodes.usable(0)) << "as far as b knows";
}

TEST(Monitor, AReturnedNodeIsSeenEmpty) {
  Seen<Monitor> nodes(cluster(1, 2), QueueRules{});
  nodes.report(0, 2, 3, 9);
  nodes.lose(0);
  EXPECT_FALSE(nodes.usable(0));
  nodes.restore(0);
  EXPECT_EQ(nodes.free(0), 2U);
  EXPECT_EQ(nodes.queued(0), 0U);
  EXPECT_EQ(nodes.wait_s(0), 0);
}

}  // namespace
}  // namespace somnus
