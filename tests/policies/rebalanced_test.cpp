// Queue rebalancing (Mercury; policies.md 4.2): limit = clamp(mean + sigma sd, low, high).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/placement_rig.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Limits {
  double low = 0;
  double high = infinity;
  double sigma = 1;
};

/// Four nodes of one slot; nothing has been submitted.
class Monitored {
 public:
  Monitored(Rebalance metric, const Limits& limits)
      : rig_(job_of(1), cluster(4),
             {.placement = "queue-wait",
              .queue = QueueRules{.rebalance = metric,
                                  .rebalance_sigma = limits.sigma,
                                  .rebalance_low = limits.low,
                                  .rebalance_high = limits.high}}) {}

  struct Message {
    std::uint32_t node;
    double limit;
  };
  /// What it has to say to that report alone.
  std::vector<Message> report(Duration now, const PlacementRig::Load& load) {
    rig_.report(now, load);
    rig_.plan(now);
    std::vector<Message> revokes;
    for (const Revoke& revoke : rig_.last_plan().get<Revoke>()) {
      revokes.push_back({revoke.node.value(), std::min(revoke.length, revoke.wait.seconds)});
    }
    return revokes;
  }
  std::vector<Message> wait(Duration now, std::uint32_t node, double wait_s) {
    return report(now, {.node = node, .running = 1, .queued = 1, .wait_s = wait_s});
  }
  std::vector<Message> length(Duration now, std::uint32_t node, std::uint32_t queued) {
    return report(now, {.node = node, .running = 1, .queued = queued});
  }
  PlacementRig& rig() { return rig_; }

 private:
  PlacementRig rig_;
};

TEST(Rebalancing, RevokesWhatIsBeyondTheMeanAndOneDeviation) {
  Monitored monitor(Rebalance::wait, {});
  EXPECT_TRUE(monitor.wait(0s, 0, 0).empty());
  const auto revokes = monitor.wait(1s, 3, 12);
  ASSERT_EQ(revokes.size(), 1U);
  EXPECT_EQ(revokes[0].node, 3U);
  EXPECT_NEAR(revokes[0].limit, 3 + std::sqrt(27.0), 1e-9) << "of 0, 0, 0, 12";
}

TEST(Rebalancing, ComparesOnceAnInterval) {
  Monitored monitor(Rebalance::wait, {});
  monitor.wait(0s, 0, 0);
  monitor.wait(1s, 3, 12);
  const auto revokes = monitor.wait(1999ms, 2, 9);
  ASSERT_EQ(revokes.size(), 1U);
  EXPECT_NEAR(revokes[0].limit, 3 + std::sqrt(27.0), 1e-9) << "still";
  EXPECT_TRUE(monitor.wait(2s, 1, 1).empty());
  const auto next = monitor.wait(2500ms, 3, 12);
  ASSERT_EQ(next.size(), 1U);
  EXPECT_NEAR(next[0].limit, 5.5 + std::sqrt(26.25), 1e-9) << "of 0, 1, 9, 12";
}

TEST(Rebalancing, SigmaWeighsTheDeviation) {
  for (const double sigma : {0.0, 0.5}) {
    Monitored monitor(Rebalance::wait, {.sigma = sigma});
    monitor.wait(0s, 0, 0);
    const auto revokes = monitor.wait(1s, 3, 12);
    ASSERT_EQ(revokes.size(), 1U);
    EXPECT_NEAR(revokes[0].limit, 3 + sigma * std::sqrt(27.0), 1e-9);
  }
}

TEST(Rebalancing, TheLimitStaysBetweenItsBounds) {
  Monitored low(Rebalance::wait, {.low = 11});
  low.wait(0s, 0, 0);
  const auto at_low = low.wait(1s, 3, 12);
  ASSERT_EQ(at_low.size(), 1U);
  EXPECT_EQ(at_low[0].limit, 11);
  Monitored higher(Rebalance::wait, {.low = 12});
  higher.wait(0s, 0, 0);
  EXPECT_TRUE(higher.wait(1s, 3, 12).empty()) << "at the limit, not above it";
  Monitored high(Rebalance::wait, {.high = 2});
  high.wait(0s, 0, 0);
  const auto at_high = high.wait(1s, 3, 12);
  ASSERT_EQ(at_high.size(), 1U);
  EXPECT_EQ(at_high[0].limit, 2);
}

TEST(Rebalancing, ByLengthTheLimitIsAWholeNumberOfTasks) {
  Monitored monitor(Rebalance::length, {});
  monitor.length(0s, 0, 0);
  const auto revokes = monitor.length(1s, 3, 12);
  ASSERT_EQ(revokes.size(), 1U);
  EXPECT_EQ(revokes[0].limit, 8) << "of 8.196";
}

TEST(Rebalancing, AsksNothingOfANodeWithNothingQueued) {
  Monitored monitor(Rebalance::wait, {});
  monitor.wait(0s, 0, 0);
  EXPECT_TRUE(monitor.report(1s, {.node = 3, .running = 1, .wait_s = 12}).empty());
}

TEST(Rebalancing, LostNodesDoNotCount) {
  Monitored monitor(Rebalance::wait, {});
  monitor.wait(0s, 0, 0);
  monitor.wait(0s, 1, 1);
  monitor.wait(1s, 3, 12);
  monitor.rig().handle(2s, NodeLost{NodeId(3U)});
  const auto revokes = monitor.wait(2s, 2, 9);
  ASSERT_EQ(revokes.size(), 1U);
  EXPECT_NEAR(revokes[0].limit, 10.0 / 3 + std::sqrt(82.0 / 3 - 100.0 / 9), 1e-9) << "of 0, 1, 9";
}

TEST(Rebalancing, AsksNothingWhenAllNodesAreLost) {
  Monitored monitor(Rebalance::wait, {});
  for (std::uint32_t node = 0; node < 4; ++node) monitor.rig().handle(1s, NodeLost{NodeId(node)});
  EXPECT_TRUE(monitor.wait(1s, 2, 9).empty()) << "heard with the loss, said before it";
}

TEST(Rebalancing, WhatComesBackIsPlacedAgain) {
  PlacementRig rig(job_of(3), cluster(1),
                   {.placement = "queue-wait", .queue = QueueRules{.rebalance = Rebalance::wait}});
  rig.arrive(0s, 0);
  EXPECT_EQ(rig.plan(0s), (NodeList{0, 0, 0}));
  rig.end(1s, 2, Outcome::returned);
  EXPECT_EQ(rig.plan(1s), NodeList{0});
  EXPECT_EQ(rig.launches()[0].task, TaskId(2U));
  EXPECT_EQ(rig.launches()[0].attempt, 1);
}

}  // namespace
}  // namespace somnus::harness
