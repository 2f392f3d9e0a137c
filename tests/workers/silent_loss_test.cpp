// Nodes that fall silent are given up, come back, and begin another life.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "harness/nodes.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

NodeModel silent_with(std::vector<NodeFault> faults) {
  return {.heartbeats = true,
          .random_phase = false,
          .heartbeat_interval = 1s,
          .faults = std::move(faults),
          .silent = true};
}

std::vector<NodeStatus> update_of(const Nodes& nodes) {
  std::vector<NodeStatus> status;
  for (const NodeStatusMessage& message : nodes.statuses()) {
    if (message.status != NodeStatus::heartbeat) status.push_back(message.status);
  }
  return status;
}

TEST(SilentLoss, TheNodeSaysNothingAndAsksForALifeWhenItIsBack) {
  Nodes nodes(cluster(1), silent_with(away(5500ms, 8500ms)));
  nodes.run_to(8s);
  EXPECT_EQ(nodes.statuses().size(), 6U) << "heartbeats at 0 to 5 s";
  EXPECT_TRUE(update_of(nodes).empty());
  nodes.run_to(10s);
  EXPECT_EQ(update_of(nodes), (std::vector(3, NodeStatus::registers))) << "8.5, 9 and 10 s";
  nodes.reset(10100ms, 0, 1);
  nodes.run_to(11s);
  EXPECT_EQ(nodes.statuses().back().status, NodeStatus::heartbeat);
  EXPECT_EQ(nodes.statuses().back().incarnation, 1);
  EXPECT_EQ(nodes.statuses()[nodes.statuses().size() - 2].status, NodeStatus::returned);
}

TEST(SilentLoss, OnlyCommandsForTheLifeThatItLeadsAreHeeded) {
  Nodes nodes(cluster(1), silent_with(away(2500ms, 3500ms)));
  const TaskId unknown = nodes.launch(4s, {.nominal = 1s});
  nodes.reset(5s, 0, 1);
  const TaskId stale = nodes.launch(5s, {.nominal = 1s, .incarnation = 0});
  const TaskId meant = nodes.launch(5s, {.nominal = 1s, .incarnation = 1});
  nodes.run_to(20s);
  for (const TaskId task : {unknown, stale}) {
    EXPECT_EQ(nodes.end_of(task).started, never);
    EXPECT_EQ(nodes.end_of(task).outcome, Outcome::lost) << "for the log";
  }
  EXPECT_EQ(nodes.end_of(meant).outcome, Outcome::finished);
}

TEST(SilentLoss, ANewLifeEndsWhatRanInTheOneBefore) {
  Nodes nodes(cluster(1, 2), silent_with({}));
  const TaskId zombie = nodes.launch(1s, {.nominal = 100s});
  nodes.reset(5s, 0, 1);
  nodes.reset(6s, 0, 1);  // sent once more
  const TaskId task = nodes.launch(6s, {.nominal = 1s, .incarnation = 1});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(zombie).outcome, Outcome::lost);
  EXPECT_EQ(nodes.end_of(zombie).finished, at(5s));
  EXPECT_EQ(nodes.end_of(task).outcome, Outcome::finished);
  EXPECT_EQ(update_of(nodes), std::vector{NodeStatus::returned});
}

TEST(SilentLoss, AResetThatComesLateBringsNoEarlierLifeBack) {
  Nodes nodes(cluster(1, 4), silent_with({}));
  nodes.reset(5s, 0, 1);
  nodes.reset(6s, 0, 2);
  const TaskId task = nodes.launch(7s, {.nominal = 5s, .incarnation = 2});
  nodes.reset(8s, 0, 1);
  const TaskId stale = nodes.launch(9s, {.nominal = 1s, .incarnation = 1});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(task).outcome, Outcome::finished);
  EXPECT_EQ(nodes.end_of(stale).started, never);
}

TEST(SilentLoss, AResetForTheLifeThatWasLostIsNoAnswerToWhatTheNodeAsks) {
  Nodes nodes(cluster(1), silent_with(away(5500ms, 5600ms)));
  nodes.reset(5s, 0, 1);
  const TaskId stale = nodes.launch(5s, {.nominal = 1s, .incarnation = 1});
  nodes.reset(5700ms, 0, 1);  // sent before the node was lost
  const TaskId unknown = nodes.launch(5800ms, {.nominal = 1s, .incarnation = 1});
  nodes.reset(7s, 0, 2);
  const TaskId meant = nodes.launch(8s, {.nominal = 1s, .incarnation = 2});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(stale).outcome, Outcome::lost);
  EXPECT_EQ(nodes.end_of(unknown).started, never);
  EXPECT_EQ(nodes.end_of(meant).outcome, Outcome::finished);
}

TEST(SilentLoss, LivesAreCountedOnBeyondTheLargestNumber) {
  Nodes nodes(cluster(1), silent_with({}));
  for (int life = 1; life <= 300; ++life) {
    nodes.reset(std::chrono::seconds(life), 0, static_cast<Incarnation>(life));
  }
  EXPECT_EQ(update_of(nodes).size(), 300U);
}

}  // namespace
}  // namespace somnus::harness
