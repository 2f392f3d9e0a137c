#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/nodes.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

std::map<NodeId, std::vector<Time>> beats_until(const Cluster& cluster, const NodeModel& model,
                                                Duration end) {
  Nodes nodes(cluster, model);
  nodes.run_to(end);
  std::map<NodeId, std::vector<Time>> beats;
  for (const NodeStatusMessage& message : nodes.statuses()) {
    EXPECT_EQ(message.status, NodeStatus::heartbeat);
    beats[message.node].push_back(message.due);
  }
  return beats;
}

TEST(Heartbeats, ComeOnceAnIntervalFromEveryNode) {
  for (const bool random_phase : {true, false}) {
    const auto beats = beats_until(
        cluster(50), {.heartbeats = true, .random_phase = random_phase, .heartbeat_interval = 3s},
        299s);
    ASSERT_EQ(beats.size(), 50U);
    for (const auto& [node, times] : beats) {
      EXPECT_LT(times[0], at(3001ms));
      EXPECT_NEAR(static_cast<double>(times.size()), 100, 1);
      for (std::size_t beat = 1; beat < times.size(); ++beat) {
        ASSERT_EQ(times[beat] - times[beat - 1], 3s);
      }
    }
  }
}

TEST(Heartbeats, AlignedComeFromAllNodesTogether) {
  const auto beats = beats_until(
      cluster(50), {.heartbeats = true, .random_phase = false, .heartbeat_interval = 3s}, 30s);
  for (const auto& [node, times] : beats) EXPECT_EQ(times, beats.at(NodeId(0U)));
}

TEST(Heartbeats, WithRandomPhaseAreSpreadOverTheInterval) {
  const NodeModel model{.heartbeats = true, .heartbeat_interval = 3s};
  const auto beats = beats_until(cluster(1000), model, 10s);
  std::set<Time> phases;
  double sum = 0;
  for (const auto& [node, times] : beats) {
    phases.insert(times[0]);
    sum += in_seconds(times[0]);
  }
  EXPECT_GT(phases.size(), 990U);
  EXPECT_LT(*phases.begin(), at(30ms));
  EXPECT_GT(*phases.rbegin(), at(2970ms));
  EXPECT_NEAR(sum / 1000, 1.5, 0.09);
  EXPECT_EQ(beats_until(cluster(1000), model, 10s), beats) << "one seed, one history";
}

TEST(Heartbeats, HoldTheEndsOfTasksUntilTheNextOneIfTheyMust) {
  const NodeModel model{
      .heartbeats = true, .ends_wait = true, .random_phase = false, .heartbeat_interval = 3s};
  const Time beat = beats_until(cluster(1, 2), model, 20s).at(NodeId(0U))[2];
  const Duration beat_time = beat - start_of_time;
  Nodes nodes(cluster(1, 2), model);
  const TaskId early = nodes.launch(beat_time - 2s, {.nominal = 500ms});
  const TaskId just_then = nodes.launch(beat_time - 2s, {.nominal = 2s});
  const TaskId late = nodes.launch(beat_time - 1s, {.nominal = 1001ms});
  nodes.run_to(beat_time - 1ns);
  EXPECT_TRUE(nodes.ends().empty());
  nodes.run_to(beat_time);
  ASSERT_EQ(nodes.ends().size(), 2U);
  EXPECT_EQ(nodes.end_of(early).finished, beat - 1500ms);
  EXPECT_EQ(nodes.end_of(early).due, beat);
  EXPECT_EQ(nodes.end_of(just_then).finished, beat);
  EXPECT_EQ(nodes.end_of(just_then).due, beat);
  nodes.run_to(beat_time + 3s);
  EXPECT_EQ(nodes.end_of(late).finished, beat + 1ms);
  EXPECT_EQ(nodes.end_of(late).due, beat + 3s);
}

TEST(Heartbeats, LetEndsPassThatNeedNotWait) {
  Nodes nodes(cluster(1), {.heartbeats = true, .random_phase = false, .heartbeat_interval = 3s});
  const TaskId task = nodes.launch(4s, {.nominal = 500ms});
  nodes.run_to(4500ms);
  EXPECT_EQ(nodes.end_of(task).due, at(4500ms));
}

TEST(Heartbeats, TellHowManyTasksRun) {
  Nodes nodes(cluster(1, 4), {.heartbeats = true, .random_phase = false, .heartbeat_interval = 3s});
  nodes.launch(0s, {.nominal = 100s});
  nodes.run_to(10s);
  EXPECT_EQ(nodes.statuses().back().running, 1U);
  EXPECT_EQ(nodes.statuses().back().queued, 0U);
}

TEST(Heartbeats, TakeTheNetworksWayAndTheirOwnDelay) {
  NodeModel model{.heartbeats = true, .random_phase = false, .heartbeat_interval = 3s};
  const auto prompt = beats_until(cluster(1), model, 30s).at(NodeId(0U));
  model.network.mean = 200ms;
  model.heartbeat_delay = 50ms;
  const auto delayed = beats_until(cluster(1), model, 30s).at(NodeId(0U));
  ASSERT_GE(delayed.size(), 9U);
  for (std::size_t beat = 0; beat < delayed.size(); ++beat) {
    EXPECT_EQ(delayed[beat] - prompt[beat], 250ms);
  }
}

TEST(Heartbeats, DoNotComeFromALostNode) {
  NodeModel model{.heartbeats = true, .random_phase = false, .heartbeat_interval = 1s};
  model.faults = away(5500ms, 10500ms);
  Nodes nodes(cluster(1), model);
  nodes.run_to(20s);
  std::size_t after = 0;
  for (const NodeStatusMessage& message : nodes.statuses()) {
    if (message.status != NodeStatus::heartbeat) continue;
    EXPECT_FALSE(message.due > at(5500ms) && message.due < at(10500ms));
    after += message.due > at(10500ms) ? 1U : 0U;
  }
  EXPECT_GE(after, 9U) << "they go on when it is back";
}

TEST(Heartbeats, ReachTheSchedulerTogetherWithTheEndsThatTheyCarry) {
  Nodes nodes(cluster(20, 4), {.heartbeats = true,
                               .ends_wait = true,
                               .heartbeat_interval = 3s,
                               .network = {.mean = 1ms, .jitter = 0.5}});
  for (std::uint32_t task = 0; task < 80; ++task) {
    nodes.launch(0s, {.node = task / 4, .nominal = 1s});
  }
  nodes.run_to(10s);
  ASSERT_EQ(nodes.ends().size(), 80U);
  for (const CompletionMessage& end : nodes.ends()) {
    EXPECT_TRUE(std::ranges::any_of(nodes.statuses(),
                                    [&](const NodeStatusMessage& message) {
                                      return message.node == end.node && message.due == end.due;
                                    }))
        << "node " << end.node.value();
  }
}

}  // namespace
}  // namespace somnus::harness
