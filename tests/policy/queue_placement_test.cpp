// Algorithm 1 of Yaq (section 3.2): a free slot, or else the queue with the best score.
#include <gtest/gtest.h>

#include "harness/placement_bench.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

Cluster of_slots(std::initializer_list<std::uint32_t> slots) {
  Cluster made;
  for (const std::uint32_t count : slots) made.groups.push_back({.count = 1, .slots = count});
  return made;
}

TEST(QueuePlacement, TakesTheNodeWithMostFreeSlotsAndOfEqualOnesTheFirst) {
  for (const char* placement : {"queue-length", "queue-wait"}) {
    PlacementBench bench(job_of(4), of_slots({2, 3, 3}), {.placement = placement});
    bench.arrive(0s, 0);
    EXPECT_EQ(bench.plan(0s), (NodeList{1, 2, 0, 1})) << placement;
  }
}

TEST(QueuePlacement, QueuesOnlyWhenNoSlotIsFree) {
  PlacementBench bench(job_of(7), of_slots({1, 2, 1}), {.placement = "queue-length"});
  bench.arrive(0s, 0);
  const NodeList nodes = bench.plan(0s);
  EXPECT_EQ(sorted({nodes.begin(), nodes.begin() + 4}), (NodeList{0, 1, 1, 2}));
  EXPECT_EQ(sorted({nodes.begin() + 4, nodes.end()}), (NodeList{0, 1, 2}));
}

TEST(QueuePlacement, OfEqualQueuesTakesTheOneChosenLongestAgo) {
  PlacementBench bench(job_of(9), cluster(3), {.placement = "queue-length"});
  bench.arrive(0s, 0);
  EXPECT_EQ(bench.plan(0s), (NodeList{0, 1, 2, 0, 1, 2, 0, 1, 2}));

  PlacementBench again(workload().job("a").tasks({1, 1, 1, 1, 1, 1}).job("b").tasks({1, 1, 1, 1}),
                       cluster(3), {.placement = "queue-length"});
  again.arrive(0s, 0);
  EXPECT_EQ(again.plan(0s), (NodeList{0, 1, 2, 0, 1, 2}));
  again.end(1s, 0);
  again.arrive(1s, 1);
  EXPECT_EQ(again.plan(1s), (NodeList{0, 1, 2, 0})) << "0 has become the one chosen last";
}

TEST(QueuePlacement, ByLengthTakesTheShortestQueueHoweverLongItsTasksAre) {
  const QueueRules rules{.bound = QueueBound::length, .length = 3};
  PlacementBench bench(workload().job("a").tasks({1, 1, 1, 1}).job("b").tasks({1, 1, 1, 1, 1}),
                       cluster(2), {.placement = "queue-length", .queue = rules});
  bench.arrive(0s, 0);
  bench.plan(0s);
  bench.report(1s, {.node = 0, .running = 1, .queued = 1, .wait_s = 500});
  bench.end(1s, 2);
  bench.arrive(1s, 1);
  EXPECT_EQ(bench.plan(1s), (NodeList{0, 1, 0, 1, 0})) << "until both queues are full";
}

TEST(QueuePlacement, ByWaitTakesTheLeastWaitAndAddsWhatItPlaces) {
  PlacementBench bench(workload().job("a").tasks({1, 1}).job("b").tasks({3, 3, 3, 3}), cluster(2),
                       {.placement = "queue-wait"});
  bench.arrive(0s, 0);
  bench.plan(0s);
  bench.report(1s, {.node = 0, .running = 1, .wait_s = 5});
  bench.report(1s, {.node = 1, .running = 1, .wait_s = 1});
  bench.arrive(1s, 1);
  EXPECT_EQ(bench.plan(1s), (NodeList{1, 1, 0, 1})) << "1, 4 | 5 | 7";
}

TEST(QueuePlacement, AnEstimateCountsAsOftenAsTheNodeHasSlotsToWorkItOff) {
  PlacementBench bench(workload().job("a").tasks({1, 1, 1, 1, 1}).job("b").tasks({4, 4, 4, 4}),
                       of_slots({4, 1}), {.placement = "queue-wait"});
  bench.arrive(0s, 0);
  bench.plan(0s);
  bench.report(1s, {.node = 0, .running = 4, .wait_s = 2});
  bench.report(1s, {.node = 1, .running = 1, .wait_s = 3.5});
  bench.arrive(1s, 1);
  EXPECT_EQ(bench.plan(1s), (NodeList{0, 0, 1, 0})) << "2, 3 | 3.5 | 4";
}

TEST(QueuePlacement, WhatWasPlacedSinceTheReportStillCountsAfterIt) {
  PlacementBench bench(workload().job("a").tasks({1, 1}).job("b").tasks({3, 3, 3}), cluster(2),
                       {.placement = "queue-wait"});
  bench.arrive(0s, 0);
  bench.plan(0s);
  bench.report(1s, {.node = 0, .running = 1, .wait_s = 5});
  bench.report(1s, {.node = 1, .running = 1, .wait_s = 4});
  bench.arrive(1s, 1);
  EXPECT_EQ(bench.plan(1s), (NodeList{1, 0, 1}));
  // A report that left before those came: running, and nothing queued.
  bench.report(2s, {.node = 1, .running = 1, .wait_s = 3});
  EXPECT_DOUBLE_EQ(bench.engine().nodes().wait(NodeId(1U)), 3 + 3 + 3);
  bench.report(3s, {.node = 1, .running = 1, .queued = 2, .wait_s = 8});
  EXPECT_DOUBLE_EQ(bench.engine().nodes().wait(NodeId(1U)), 8);
}

TEST(QueuePlacement, NeverQueuesBeyondALength) {
  const QueueRules rules{.bound = QueueBound::length, .length = 2};
  for (const char* placement : {"queue-length", "queue-wait", "random"}) {
    PlacementBench bench(job_of(20), of_slots({2, 1}), {.placement = placement, .queue = rules});
    bench.arrive(0s, 0);
    EXPECT_EQ(sorted(bench.plan(0s)), (NodeList{0, 0, 0, 0, 1, 1, 1})) << placement;
  }
}

TEST(QueuePlacement, QueuesOnlyWhereTheWaitIsLessThanItsBound) {
  const QueueRules rules{.bound = QueueBound::delay, .max_wait_s = 6};
  PlacementBench bench(workload().job("a").tasks({1, 1}).job("b").tasks(std::vector<double>(9, 2)),
                       cluster(2), {.placement = "queue-wait", .queue = rules});
  bench.arrive(0s, 0);
  bench.plan(0s);
  bench.report(1s, {.node = 0, .running = 1, .wait_s = 6});
  bench.report(1s, {.node = 1, .running = 1, .wait_s = 1});
  bench.arrive(1s, 1);
  EXPECT_EQ(bench.plan(1s), (NodeList{1, 1, 1})) << "at 1, 3 and 5 s; then it is 7";
  bench.report(2s, {.node = 0, .running = 1, .wait_s = 5.999});
  EXPECT_EQ(bench.plan(2s), NodeList{0});
}

TEST(QueuePlacement, WithHeartbeatsQueuesOnlyIfTheFreeShareAllowsIt) {
  for (const double share : {0.0, 0.49, 0.5}) {
    PlacementBench bench(job_of(9), cluster(4),
                         {.placement = "queue-length",
                          .parameters = {{"free_share", share}},
                          .feedback = Feedback::heartbeat,
                          .queue = QueueRules{.bound = QueueBound::length, .length = 1}});
    bench.arrive(0s, 0);
    EXPECT_EQ(bench.plan(0s), NodeList{});
    bench.report(1s, {.node = 0});
    EXPECT_EQ(bench.plan(1s), NodeList{0}) << "three of four are free";
    bench.report(2s, {.node = 1});
    EXPECT_EQ(bench.plan(2s), (share < 0.5 ? NodeList{1} : NodeList{1, 1})) << "then two";
    bench.report(3s, {.node = 0, .running = 1});
    EXPECT_EQ(bench.plan(3s), (share < 0.5 ? NodeList{} : NodeList{0}));
  }
}

TEST(QueuePlacement, WithAnyHeartbeatAllNodesMayBeUsedAtEachOfThem) {
  for (const char* placement : {"queue-length", "queue-wait", "random", "any-free"}) {
    PlacementBench bench(job_of(5), cluster(5),
                         {.placement = placement, .feedback = Feedback::any_heartbeat});
    bench.arrive(0s, 0);
    EXPECT_EQ(bench.plan(0s), NodeList{}) << placement;
    bench.report(1s, {.node = 3});
    EXPECT_EQ(sorted(bench.plan(1s)), (NodeList{0, 1, 2, 3, 4})) << placement;
  }
}

TEST(QueuePlacement, UsesNoLostNodeUntilItReturns) {
  PlacementBench bench(job_of(4), cluster(2), {.placement = "queue-wait"});
  bench.handle(0s, NodeLost{NodeId(0U)});
  bench.arrive(0s, 0);
  EXPECT_EQ(bench.plan(0s), (NodeList{1, 1, 1, 1}));
  bench.handle(1s, NodeReturned{NodeId(0U)});
  bench.end(1s, 3, Outcome::returned);
  EXPECT_EQ(bench.plan(1s), NodeList{0});
}

WorkloadBuilder two_jobs_of_three() {
  return workload().job("a").tasks({2, 2, 2}).job("b").tasks({2, 2, 2});
}

/// Two nodes of a slot each that run something, with waits of 5 and 6 s.
void report_full(PlacementBench& bench, Duration now) {
  bench.report(now, {.node = 0, .running = 1, .wait_s = 5});
  bench.report(now, {.node = 1, .running = 1, .wait_s = 6});
}

TEST(Monitor, AManagerCountsItsOwnPlacementsAndNotThoseOfOthers) {
  PlacementBench bench(two_jobs_of_three(), cluster(2),
                       {.placement = "queue-wait", .feedback = Feedback::monitor});
  report_full(bench, 0s);
  bench.arrive(0s, 0);
  bench.arrive(0s, 1);
  bench.plan(0s);
  EXPECT_EQ(bench.nodes_of(0), (NodeList{0, 1, 0})) << "5, 6, 7";
  EXPECT_EQ(bench.nodes_of(1), (NodeList{0, 1, 0})) << "as if the other had placed nothing";
}

TEST(Monitor, AManagerWhoseTasksAlternateWithAnothersRemembersItsOwn) {
  PlacementBench bench(two_jobs_of_three(), cluster(2),
                       {.placement = "queue-wait", .feedback = Feedback::monitor, .order = "fair"});
  report_full(bench, 0s);
  bench.arrive(0s, 0);
  bench.arrive(0s, 1);
  bench.plan(0s);
  EXPECT_EQ(bench.nodes_of(0), (NodeList{0, 1, 0}));
  EXPECT_EQ(bench.nodes_of(1), (NodeList{0, 1, 0}));
}

TEST(Monitor, ThePictureStaysAsReportedUntilTheNextReport) {
  PlacementBench bench(two_jobs_of_three(), cluster(2),
                       {.placement = "queue-wait", .feedback = Feedback::monitor});
  report_full(bench, 0s);
  bench.arrive(0s, 0);
  bench.plan(0s);
  bench.end(1s, 0);
  bench.end(1s, 1);
  bench.end(1s, 2);
  bench.report(1s, {.node = 0, .running = 1, .wait_s = 9});
  bench.arrive(1s, 1);
  EXPECT_EQ(bench.plan(1s), (NodeList{1, 1, 0})) << "6, 8 | 9; node 1 has reported nothing new";
}

TEST(Monitor, FreeSlotsAreTakenAsReportedToo) {
  PlacementBench bench(two_jobs_of_three(), of_slots({2, 1}),
                       {.placement = "queue-length", .feedback = Feedback::monitor});
  bench.arrive(0s, 0);
  bench.arrive(0s, 1);
  bench.plan(0s);
  EXPECT_EQ(bench.nodes_of(0), (NodeList{0, 0, 1}));
  EXPECT_EQ(bench.nodes_of(1), (NodeList{0, 0, 1})) << "they are taken by then, as it cannot know";
}

}  // namespace
}  // namespace somnus::harness
