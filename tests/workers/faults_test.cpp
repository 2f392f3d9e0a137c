// Tasks that fail, nodes that are lost and come back.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/nodes.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

std::ptrdiff_t failures_of(double probability, std::uint64_t seed = 1) {
  Nodes nodes(cluster(2000), {.task_failure_probability = probability, .seed = seed});
  for (std::uint32_t node = 0; node < 2000; ++node) {
    nodes.launch(0s, {.node = node, .nominal = 1s});
  }
  nodes.run_to(10s);
  EXPECT_EQ(nodes.ends().size(), 2000U);
  return std::count_if(nodes.ends().begin(), nodes.ends().end(),
                       [](const auto& end) { return end.outcome == Outcome::failed; });
}

TEST(TaskFailures, AreAsFrequentAsTheyShouldBe) {
  EXPECT_EQ(failures_of(0), 0);
  EXPECT_NEAR(static_cast<double>(failures_of(0.25)), 500, 80);
  EXPECT_GE(failures_of(0.9999), 1995);
}

TEST(TaskFailures, FreeTheSlotForTheNextTask) {
  Nodes nodes(cluster(1), {.task_failure_probability = 0.9999});
  for (int round = 0; round < 5; ++round) {
    const TaskId task = nodes.launch(std::chrono::seconds(10 * round), {.nominal = 1s});
    nodes.run_to(std::chrono::seconds(10 * round + 9));
    EXPECT_EQ(nodes.end_of(task).outcome, Outcome::failed);
    EXPECT_LE(nodes.end_of(task).finished - nodes.end_of(task).started, 1s);
    EXPECT_EQ(nodes.set().busy_slots(), 0U);
  }
}

NodeModel lost_from_5_to_9() {
  return {
      .faults = {{at(5s), NodeId(0U), NodeNews::lost}, {at(9s), NodeId(0U), NodeNews::returned}}};
}

TEST(NodeLoss, EndsWhatRunsThereAsLostAndIsTold) {
  Nodes nodes(cluster(2, 2), lost_from_5_to_9());
  const TaskId there = nodes.launch(1s, {.node = 0, .nominal = 20s});
  const TaskId elsewhere = nodes.launch(1s, {.node = 1, .nominal = 20s});
  nodes.run_to(5s);
  EXPECT_EQ(nodes.end_of(there).outcome, Outcome::lost);
  EXPECT_EQ(nodes.end_of(there).started, at(1s));
  EXPECT_EQ(nodes.end_of(there).finished, at(5s));
  ASSERT_EQ(nodes.news().size(), 1U);
  EXPECT_EQ(nodes.news()[0].news, NodeNews::lost);
  EXPECT_EQ(nodes.news()[0].node, NodeId(0U));
  EXPECT_EQ(nodes.news()[0].due, at(5s));
  nodes.run_to(30s);
  ASSERT_EQ(nodes.news().size(), 2U);
  EXPECT_EQ(nodes.news()[1].news, NodeNews::returned);
  EXPECT_EQ(nodes.news()[1].due, at(9s));
  EXPECT_EQ(nodes.end_of(elsewhere).outcome, Outcome::finished);
  EXPECT_EQ(nodes.ends().size(), 2U) << "one report a task";
}

TEST(NodeLoss, LosesALaunchThatArrivesWhileTheNodeIsAway) {
  Nodes nodes(cluster(1), lost_from_5_to_9());
  const TaskId task = nodes.launch(6s, {.nominal = 1s});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(task).outcome, Outcome::lost);
  EXPECT_EQ(nodes.end_of(task).started, never) << "it never ran";
  EXPECT_EQ(nodes.end_of(task).finished, never);
  EXPECT_EQ(nodes.ends().size(), 1U);
}

TEST(NodeLoss, ANodeThatReturnsHasAllItsSlots) {
  Nodes nodes(cluster(1, 2), lost_from_5_to_9());
  nodes.launch(1s, {.nominal = 20s});
  nodes.launch(1s, {.nominal = 20s});
  nodes.run_to(9s);
  EXPECT_EQ(nodes.set().busy_slots(), 0U);
  const TaskId first = nodes.launch(10s, {.nominal = 1s});
  const TaskId second = nodes.launch(10s, {.nominal = 1s});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(first).finished, at(11s));
  EXPECT_EQ(nodes.end_of(second).finished, at(11s));
  EXPECT_NE(nodes.end_of(first).slot, nodes.end_of(second).slot);
}

TEST(NodeLoss, IsHeardAfterTheNetworksWay) {
  NodeModel model = lost_from_5_to_9();
  model.network.mean = 100ms;
  Nodes nodes(cluster(1), model);
  const TaskId task = nodes.launch(0s, {.nominal = 20s});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.news().at(0).due, at(5100ms));
  EXPECT_EQ(nodes.end_of(task).due, at(5100ms));
  EXPECT_EQ(nodes.end_of(task).finished, at(5s));
}

TEST(NodeLoss, IsHeardBeforeTheReturnHoweverUnevenTheWay) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    NodeModel model = lost_from_5_to_9();
    model.faults[1].at = at(5001ms);
    model.network = {.mean = 100ms, .jitter = 0.9};
    model.seed = seed;
    Nodes nodes(cluster(1), model);
    nodes.run_to(10s);
    ASSERT_EQ(nodes.news().size(), 2U);
    EXPECT_EQ(nodes.news()[0].news, NodeNews::lost);
    EXPECT_EQ(nodes.news()[1].news, NodeNews::returned);
  }
}

TEST(NodeLoss, ReportsAnEndThatWaitsForAHeartbeatExactlyOnce) {
  NodeModel model{
      .heartbeats = true, .ends_wait = true, .random_phase = false, .heartbeat_interval = 100s};
  model.faults = {{at(5s), NodeId(0U), NodeNews::lost}, {at(9s), NodeId(0U), NodeNews::returned}};
  Nodes nodes(cluster(1), model);
  const TaskId task = nodes.launch(1s, {.nominal = 2s});
  nodes.run_to(300s);
  ASSERT_EQ(nodes.ends().size(), 1U);
  EXPECT_LE(nodes.end_of(task).finished, at(5s));
}

}  // namespace
}  // namespace somnus::harness
