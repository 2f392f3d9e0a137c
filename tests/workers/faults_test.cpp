// Tasks that fail, nodes that are lost and come back.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/nodes.hpp"
#include "queueing/reordered_queue.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

std::ptrdiff_t failures_of(double probability, std::uint64_t seed = 1) {
  Nodes nodes(cluster(2000), {.fault_model = {.seed = seed, .fails = probability}});
  nodes.launch_on_each(0s, {.nominal = 1s});
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
  Nodes nodes(cluster(1), {.fault_model = {.fails = 0.9999}});
  for (int round = 0; round < 5; ++round) {
    const TaskId task = nodes.launch(std::chrono::seconds(10 * round), {.nominal = 1s});
    nodes.run_to(std::chrono::seconds(10 * round + 9));
    EXPECT_EQ(nodes.end_of(task).outcome, Outcome::failed);
    EXPECT_LE(nodes.end_of(task).finished - nodes.end_of(task).started, 1s);
    EXPECT_EQ(nodes.set().busy_slots(), 0U);
  }
}

NodeModel lost_from_5_to_9() { return {.faults = away(5s, 9s)}; }

TEST(NodeLoss, EndsWhatRunsThereAsLostAndIsReported) {
  Nodes nodes(cluster(2, 2), lost_from_5_to_9());
  const TaskId there = nodes.launch(1s, {.node = 0, .nominal = 20s});
  const TaskId elsewhere = nodes.launch(1s, {.node = 1, .nominal = 20s});
  nodes.run_to(5s);
  EXPECT_EQ(nodes.end_of(there).outcome, Outcome::lost);
  EXPECT_EQ(nodes.end_of(there).started, at(1s));
  EXPECT_EQ(nodes.end_of(there).finished, at(5s));
  ASSERT_EQ(nodes.statuses().size(), 1U);
  EXPECT_EQ(nodes.statuses()[0].status, NodeStatus::lost);
  EXPECT_EQ(nodes.statuses()[0].node, NodeId(0U));
  EXPECT_EQ(nodes.statuses()[0].due, at(5s));
  nodes.run_to(30s);
  ASSERT_EQ(nodes.statuses().size(), 2U);
  EXPECT_EQ(nodes.statuses()[1].status, NodeStatus::returned);
  EXPECT_EQ(nodes.statuses()[1].due, at(9s));
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
  EXPECT_EQ(nodes.statuses().at(0).due, at(5100ms));
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
    ASSERT_EQ(nodes.statuses().size(), 2U);
    EXPECT_EQ(nodes.statuses()[0].status, NodeStatus::lost);
    EXPECT_EQ(nodes.statuses()[1].status, NodeStatus::returned);
  }
}

TEST(NodeLoss, ReportsAnEndThatWaitsForAHeartbeatExactlyOnce) {
  NodeModel model{
      .heartbeats = true, .ends_wait = true, .random_phase = false, .heartbeat_interval = 100s};
  model.faults = away(5s, 9s);
  Nodes nodes(cluster(1), model);
  const TaskId task = nodes.launch(1s, {.nominal = 2s});
  nodes.run_to(300s);
  ASSERT_EQ(nodes.ends().size(), 1U);
  EXPECT_LE(nodes.end_of(task).finished, at(5s));
}

TEST(Stragglers, TakeTheFactorLongerAndAreAsFrequentAsTheyShouldBe) {
  Nodes nodes(cluster(2000), {.fault_model = {.straggles = 0.25, .straggler_factor = 3}});
  nodes.launch_on_each(0s, {.nominal = 1s});
  nodes.run_to(10s);
  const auto took = [&](Duration span) {
    return std::ranges::count_if(nodes.ends(), [&](const CompletionMessage& end) {
      return end.finished - end.started == span && end.intended == span;
    });
  };
  EXPECT_NEAR(static_cast<double>(took(3s)), 500, 80);
  EXPECT_EQ(took(1s) + took(3s), 2000);
}

TEST(Stragglers, AnotherAttemptIsAnotherDraw) {
  const FaultModel fault_model{.straggles = 0.5, .straggler_factor = 2};
  int straggled = 0;
  for (std::uint16_t attempt = 0; attempt < 1000; ++attempt) {
    straggled += fault_model.straggle(1s, TaskId(7U), attempt) == 2s ? 1 : 0;
  }
  EXPECT_NEAR(straggled, 500, 80);
}

TEST(SlowNodes, AreSlowThroughoutAndOnTopOfTheirGroupsSlowdown) {
  const FaultModel fault_model{.slow = 0.5, .slow_factor = 4};
  Nodes nodes(cluster(100), {.fault_model = fault_model});
  nodes.launch_on_each(0s, {.nominal = 1s});
  nodes.run_to(10s);
  for (const CompletionMessage& end : nodes.ends()) {
    EXPECT_EQ(end.finished - end.started, seconds(fault_model.slowness(end.node)));
  }
}

TEST(NodeFaults, ByChanceAreExponentialWithTheMeansThatWereAskedFor) {
  const FaultModel fault_model{.seed = 3, .up = 100s, .away = 10s, .cut_off = 0.5};
  NodeFaults faults({}, fault_model, NodeId(0U), 50);
  Duration up{};
  Duration away{};
  int lost = 0;
  int cut_off = 0;
  std::vector<Time> since(50, start_of_time);
  std::vector<Time> gone(50, never);
  Time before = start_of_time;
  for (int at = 0; at < 6000; ++at) {
    const NodeFault fault = faults.take();
    EXPECT_GE(fault.at, before);
    before = fault.at;
    const std::size_t node = fault.node.index();
    if (fault.change == NodeChange::returned) {
      away += fault.at - gone[node];
      since[node] = fault.at;
      continue;
    }
    up += fault.at - since[node];
    if (fault.change == NodeChange::lost) {
      ++lost;
      gone[node] = fault.at;
    } else {
      ++cut_off;
      since[node] = fault.until;
      EXPECT_GT(fault.until, fault.at);
    }
  }
  EXPECT_NEAR(in_seconds(up) / (lost + cut_off), 100, 6);
  EXPECT_NEAR(in_seconds(away) / lost, 10, 1);
  EXPECT_NEAR(static_cast<double>(cut_off) / lost, 1, 0.15);
}

TEST(NodeFaults, OfANodeAreTheSameWhicheverOtherNodesAreThere) {
  const FaultModel fault_model{.up = 50s, .away = 5s, .cut_off = 0.3};
  NodeFaults all({}, fault_model, NodeId(0U), 8);
  NodeFaults one({}, fault_model, NodeId(5U), 1);
  for (int at = 0; at < 100; ++at) {
    NodeFault fault = all.take();
    while (fault.node != NodeId(5U)) fault = all.take();
    const NodeFault alone = one.take();
    EXPECT_EQ(fault.at, alone.at);
    EXPECT_EQ(fault.change, alone.change);
    EXPECT_EQ(fault.until, alone.until);
  }
}

NodeModel cut_off_from_5_to_9() {
  return {.faults = {
              {.at = at(5s), .node = NodeId(0U), .change = NodeChange::cut_off, .until = at(9s)}}};
}

TEST(CutOff, TheNodeWorksOnAndIsHeardWhenItCanBeReached) {
  Nodes nodes(cluster(1), cut_off_from_5_to_9());
  const TaskId task = nodes.launch(1s, {.nominal = 6s});
  nodes.run_to(8s);
  EXPECT_TRUE(nodes.ends().empty());
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(task).outcome, Outcome::finished);
  EXPECT_EQ(nodes.end_of(task).finished, at(7s));
  EXPECT_EQ(nodes.end_of(task).due, at(9s));
}

TEST(CutOff, WhatIsSentToItComesWhenItCanBeReached) {
  for (const Duration way : {0ms, 500ms}) {
    NodeModel model = cut_off_from_5_to_9();
    model.network.mean = way;
    Nodes nodes(cluster(1, 2), model);
    const TaskId before = nodes.launch(4750ms, {.nominal = 1s});  // on its way when it is cut off
    const TaskId during = nodes.launch(6s, {.nominal = 1s});
    nodes.run_to(20s);
    EXPECT_EQ(nodes.end_of(before).started, way == 0ms ? at(4750ms) : at(9s));
    EXPECT_EQ(nodes.end_of(during).started, at(9s));
  }
}

TEST(CutOff, ForEverNothingIsHeardAgain) {
  NodeModel model = cut_off_from_5_to_9();
  model.faults[0].until = never;
  Nodes nodes(cluster(1), model);
  nodes.launch(1s, {.nominal = 6s});
  nodes.run_to(1000s);
  EXPECT_TRUE(nodes.ends().empty());
  EXPECT_EQ(nodes.set().next(), never);
}

TEST(HeartbeatFaults, LostOnesAreNotHeardAndEndsWaitForTheNext) {
  NodeModel model{
      .heartbeats = true, .ends_wait = true, .random_phase = false, .heartbeat_interval = 1s};
  model.fault_model.heartbeat_lost = 0.5;
  Nodes nodes(cluster(1), model);
  for (int second = 0; second < 1000; ++second) {
    nodes.launch(std::chrono::seconds(second) + 100ms, {.nominal = 500ms});
  }
  nodes.run_to(1100s);
  EXPECT_NEAR(static_cast<double>(nodes.statuses().size()), 550, 80);
  ASSERT_EQ(nodes.ends().size(), 1000U);
  std::vector<Time> heard;
  for (const NodeStatusMessage& message : nodes.statuses()) heard.push_back(message.due);
  for (const CompletionMessage& end : nodes.ends()) {
    EXPECT_EQ(end.due, *std::ranges::lower_bound(heard, end.finished))
        << "the next that gets through";
  }
}

TEST(HeartbeatFaults, LateOnesAreHeardLaterAndInOrder) {
  NodeModel model{.heartbeats = true, .random_phase = false, .heartbeat_interval = 1s};
  model.fault_model.heartbeat_late = 0.5;
  model.fault_model.late_by = 300ms;
  Nodes nodes(cluster(1), model);
  nodes.run_to(1000500ms);
  EXPECT_EQ(nodes.statuses().size(), 1001U);
  std::ptrdiff_t late = 0;
  for (std::size_t beat = 0; beat < nodes.statuses().size(); ++beat) {
    const Duration by = nodes.statuses()[beat].due - at(std::chrono::seconds(beat));
    EXPECT_TRUE(by == 0ms || by == 300ms);
    late += by == 300ms ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(late), 500, 80);
}

TEST(Kill, EndsARunningAttemptAtOnceAndFreesItsSlot) {
  Nodes nodes(cluster(1), {});
  const TaskId task = nodes.launch(0s, {.nominal = 10s});
  nodes.kill(4s, 0, task);
  EXPECT_EQ(nodes.end_of(task).outcome, Outcome::killed);
  EXPECT_EQ(nodes.end_of(task).finished, at(4s));
  EXPECT_EQ(nodes.set().busy_slots(), 0U);
  const TaskId next = nodes.launch(5s, {.nominal = 1s});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(next).outcome, Outcome::finished);
  EXPECT_EQ(nodes.ends().size(), 2U);
}

TEST(Kill, TakesAWaitingAttemptOutOfItsQueue) {
  Nodes nodes(cluster(1), {.make_queue = make_worker_queue<ReorderedQueue>});
  for (const std::uint32_t job : {0U, 1U}) nodes.announce({.job = JobId(job), .unfinished = 1});
  nodes.launch(0s, {.nominal = 5s});
  const TaskId waits = nodes.launch(1s, {.nominal = 1s});
  const TaskId last = nodes.launch(1s, {.nominal = 1s});
  nodes.kill(2s, 0, waits);
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(waits).outcome, Outcome::killed);
  EXPECT_EQ(nodes.end_of(waits).queued, at(1s));
  EXPECT_EQ(nodes.end_of(waits).started, never);
  EXPECT_EQ(nodes.end_of(last).started, at(5s));
}

TEST(Kill, WaitsForAnAttemptThatHasNotComeYet) {
  Nodes nodes(cluster(1), {});
  nodes.kill(1s, 0, TaskId(0U));
  const TaskId task = nodes.launch(2s, {.nominal = 1s});
  nodes.run_to(20s);
  ASSERT_EQ(task, TaskId(0U));
  EXPECT_EQ(nodes.end_of(task).outcome, Outcome::killed);
  EXPECT_EQ(nodes.end_of(task).started, never);
}

TEST(Kill, DoesNothingToAnAttemptThatHasEnded) {
  Nodes nodes(cluster(1), {});
  const TaskId task = nodes.launch(0s, {.nominal = 1s});
  nodes.kill(2s, 0, task);
  nodes.run_to(20s);
  ASSERT_EQ(nodes.ends().size(), 1U);
  EXPECT_EQ(nodes.end_of(task).outcome, Outcome::finished);
}

}  // namespace
}  // namespace somnus::harness
