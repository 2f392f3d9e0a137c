// The emulated way between scheduler and node.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/nodes.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

TEST(Network, WithoutDelayATaskStartsWhenItIsLaunchedAndItsEndIsHeardAtOnce) {
  Nodes nodes(cluster(1), {});
  const TaskId task = nodes.launch(3s, {.nominal = 2s});
  nodes.run_to(9s);
  const CompletionMessage end = nodes.end_of(task);
  EXPECT_EQ(end.queued, at(3s));
  EXPECT_EQ(end.started, at(3s));
  EXPECT_EQ(end.finished, at(5s));
  EXPECT_EQ(end.due, at(5s));
  EXPECT_EQ(end.intended, 2s);
  EXPECT_EQ(end.outcome, Outcome::finished);
}

TEST(Network, DelaysTheLaunchAndTheReportByExactlyItsMean) {
  Nodes nodes(cluster(1), {.network = {.mean = 500ms}});
  const TaskId task = nodes.launch(1s, {.nominal = 2s});
  EXPECT_EQ(nodes.set().next(), at(1500ms));
  nodes.run_to(1499ms);
  EXPECT_EQ(nodes.set().busy_slots(), 0U);
  nodes.run_to(1500ms);
  EXPECT_EQ(nodes.set().busy_slots(), 1U);
  EXPECT_EQ(nodes.set().next(), at(3500ms));
  nodes.run_to(3999ms);
  EXPECT_TRUE(nodes.ends().empty());
  nodes.run_to(4s);
  const CompletionMessage end = nodes.end_of(task);
  EXPECT_EQ(end.queued, at(1500ms));
  EXPECT_EQ(end.started, at(1500ms));
  EXPECT_EQ(end.finished, at(3500ms));
  EXPECT_EQ(end.due, at(4s));
  EXPECT_EQ(nodes.set().next(), never);
}

TEST(Network, JitterStaysInItsBandAndFillsItBothWays) {
  constexpr std::uint32_t tasks = 2000;
  Nodes nodes(cluster(tasks), {.network = {.mean = 100ms, .jitter = 0.5}});
  nodes.launch_on_each(0s, {.nominal = 1s});
  nodes.run_to(2s);
  ASSERT_EQ(nodes.ends().size(), tasks);
  const auto expect_band = [](std::vector<Duration> delays) {
    std::sort(delays.begin(), delays.end());
    EXPECT_GE(delays.front(), 50ms);
    EXPECT_LT(delays.front(), 52ms);
    EXPECT_LE(delays.back(), 150ms);
    EXPECT_GT(delays.back(), 148ms);
    EXPECT_NEAR(in_seconds(delays[tasks / 2]), 0.1, 0.005);
  };
  std::vector<Duration> there;
  std::vector<Duration> back;
  for (const CompletionMessage& end : nodes.ends()) {
    there.push_back(end.queued - start_of_time);
    back.push_back(end.due - end.finished);
  }
  expect_band(there);
  expect_band(back);
  EXPECT_NE(there, back);
}

TEST(Network, ReportsComeInOrderOfTheTimeWhenTheyAreDue) {
  Nodes nodes(cluster(100), {.network = {.mean = 100ms, .jitter = 0.9}});
  nodes.launch_on_each(0s, {.nominal = 10ms});
  nodes.run_to(1s);
  ASSERT_EQ(nodes.ends().size(), 100U);
  EXPECT_TRUE(std::is_sorted(nodes.ends().begin(), nodes.ends().end(),
                             [](const auto& a, const auto& b) { return a.due < b.due; }));
}

TEST(Network, WhatANodeSaysArrivesInTheOrderInWhichItSaidIt) {
  constexpr std::uint32_t tasks = 200;
  Nodes nodes(cluster(1, tasks), {.network = {.mean = 100ms, .jitter = 0.9}});
  for (std::uint32_t task = 0; task < tasks; ++task) {
    nodes.launch(0s, {.nominal = std::chrono::milliseconds(1000 + task)});
  }
  nodes.run_to(9s);
  ASSERT_EQ(nodes.ends().size(), tasks);
  EXPECT_TRUE(std::ranges::is_sorted(nodes.ends(), {}, &CompletionMessage::finished));
}

TEST(Network, OfANodeIsTheSameHoweverNodesAreDealtToRanks) {
  const NodeModel model{.network = {.mean = 100ms, .jitter = 0.9}};
  Nodes all(cluster(5), model);
  NodeSet one(cluster(5), NodeId(3U), 1, model);
  const TaskId task = all.launch(0s, {.node = 3, .nominal = 1s});
  one.send(at(0s), LaunchMessage{.times = TaskTimes::alike(1s), .task = task, .node = NodeId(3U)});
  all.run_to(9s);
  EXPECT_EQ(one.next(), all.end_of(task).queued);
}

TEST(Network, OfAnotherSeedHasOtherDelays) {
  const auto delay = [](std::uint64_t seed) {
    Nodes nodes(cluster(1), {.network = {.mean = 100ms, .jitter = 0.5}, .seed = seed});
    const TaskId task = nodes.launch(0s, {.nominal = 1s});
    nodes.run_to(9s);
    return nodes.end_of(task).queued;
  };
  EXPECT_EQ(delay(1), delay(1));
  EXPECT_NE(delay(1), delay(2));
}

}  // namespace
}  // namespace somnus::harness
