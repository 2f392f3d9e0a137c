// Algorithm 1 of Yaq (section 3.2): a free slot, or else the queue with the best score.
#include <gtest/gtest.h>

#include "harness/placement_rig.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

Cluster of_slots(std::initializer_list<std::uint32_t> slots) {
  Cluster made;
  for (const std::uint32_t count : slots) made.groups.push_back({.count = 1, .slots = count});
  return made;
}

TEST(QueuePlacement, WeighsAPreferredNodesQueueAgainstShorterOnesElsewhere) {
  // Affinity / load: 1 / queued on node 0, elsewhere / 2 on node 1.
  const auto placed = [](double elsewhere, std::uint32_t queued_there) {
    PlacementRig rig(job_of(1, 1, {0}), cluster(2),
                     {.placement = "queue-length",
                      .parameters = {{"elsewhere", elsewhere}},
                      .feedback = "monitor"});
    rig.report(0s, {.node = 0, .running = 1, .queued = queued_there});
    rig.report(0s, {.node = 1, .running = 1, .queued = 2});
    rig.arrive(0s, 0);
    return rig.plan(0s);
  };
  EXPECT_EQ(placed(0.5, 3), NodeList{0}) << "1/3 against 0.5/2";
  EXPECT_EQ(placed(0.5, 5), NodeList{1}) << "1/5 against 0.5/2";
  EXPECT_EQ(placed(0.9, 3), NodeList{1}) << "1/3 against 0.9/2";
  EXPECT_EQ(placed(1, 2), NodeList{0}) << "equal scores";
}

TEST(QueuePlacement, ByWaitTakesTheLeastWaitAndAddsWhatItPlaces) {
  PlacementRig rig(workload().job("a", {.tasks = {1, 1}}).job("b", {.tasks = {3, 3, 3, 3}}),
                   cluster(2), {.placement = "queue-wait"});
  rig.arrive(0s, 0);
  rig.plan(0s);
  rig.report(1s, {.node = 0, .running = 1, .wait_s = 5});
  rig.report(1s, {.node = 1, .running = 1, .wait_s = 1});
  rig.arrive(1s, 1);
  EXPECT_EQ(rig.plan(1s), (NodeList{1, 1, 0, 1})) << "1, 4 | 5 | 7";
}

TEST(QueuePlacement, AnEstimateCountsAsOftenAsTheNodeHasSlotsToWorkItOff) {
  PlacementRig rig(
      workload().job("a", {.tasks = {1, 1, 1, 1, 1}}).job("b", {.tasks = {4, 4, 4, 4}}),
      of_slots({4, 1}), {.placement = "queue-wait"});
  rig.arrive(0s, 0);
  rig.plan(0s);
  rig.report(1s, {.node = 0, .running = 4, .wait_s = 2});
  rig.report(1s, {.node = 1, .running = 1, .wait_s = 3.5});
  rig.arrive(1s, 1);
  EXPECT_EQ(rig.plan(1s), (NodeList{0, 0, 1, 0})) << "2, 3 | 3.5 | 4";
}

TEST(QueuePlacement, WhatWasPlacedSinceTheReportStillCountsAfterIt) {
  PlacementRig rig(workload().job("a", {.tasks = {1, 1}}).job("b", {.tasks = {3, 3, 3}}),
                   cluster(2), {.placement = "queue-wait"});
  rig.arrive(0s, 0);
  rig.plan(0s);
  rig.report(1s, {.node = 0, .running = 1, .wait_s = 5});
  rig.report(1s, {.node = 1, .running = 1, .wait_s = 4});
  rig.arrive(1s, 1);
  EXPECT_EQ(rig.plan(1s), (NodeList{1, 0, 1}));
  // A report that left before those came: running, and nothing queued.
  rig.report(2s, {.node = 1, .running = 1, .wait_s = 3});
  EXPECT_DOUBLE_EQ(static_cast<double>(rig.engine().view().wait(NodeId(1U)).over) / 1e9, 3 + 3 + 3);
  rig.report(3s, {.node = 1, .running = 1, .queued = 2, .wait_s = 8});
  EXPECT_DOUBLE_EQ(static_cast<double>(rig.engine().view().wait(NodeId(1U)).over) / 1e9, 8);
}

TEST(QueuePlacement, QueuesOnlyWhereTheWaitIsLessThanItsBound) {
  const QueueRules rules{.bound = QueueBound::delay, .max_wait_s = 6};
  PlacementRig rig(workload().job("a", {.tasks = {1, 1}}).job("b", {.tasks = alike(9, 2)}),
                   cluster(2), {.placement = "queue-wait", .queue = rules});
  rig.arrive(0s, 0);
  rig.plan(0s);
  rig.report(1s, {.node = 0, .running = 1, .wait_s = 6});
  rig.report(1s, {.node = 1, .running = 1, .wait_s = 1});
  rig.arrive(1s, 1);
  EXPECT_EQ(rig.plan(1s), (NodeList{1, 1, 1})) << "at 1, 3 and 5 s; then it is 7";
  rig.report(2s, {.node = 0, .running = 1, .wait_s = 5.999});
  EXPECT_EQ(rig.plan(2s), NodeList{0});
}

TEST(QueuePlacement, WithHeartbeatsQueuesOnlyIfTheFreeShareAllowsIt) {
  for (const double share : {0.0, 0.49, 0.5}) {
    PlacementRig rig(job_of(9), cluster(4),
                     {.placement = "queue-length",
                      .parameters = {{"free_share", share}},
                      .feedback = "heartbeat",
                      .queue = QueueRules{.bound = QueueBound::length, .length = 1}});
    rig.arrive(0s, 0);
    EXPECT_EQ(rig.plan(0s), NodeList{});
    rig.report(1s, {.node = 0});
    EXPECT_EQ(rig.plan(1s), NodeList{0}) << "three of four are free";
    rig.report(2s, {.node = 1});
    EXPECT_EQ(rig.plan(2s), (share < 0.5 ? NodeList{1} : NodeList{1, 1})) << "then two";
    rig.report(3s, {.node = 0, .running = 1});
    EXPECT_EQ(rig.plan(3s), (share < 0.5 ? NodeList{} : NodeList{0}));
  }
}

TEST(QueuePlacement, WithAnyHeartbeatAllNodesMayBeUsedAtEachOfThem) {
  for (const char* placement : {"queue-length", "queue-wait", "random", "any-free"}) {
    PlacementRig rig(job_of(5), cluster(5), {.placement = placement, .feedback = "any-heartbeat"});
    rig.arrive(0s, 0);
    EXPECT_EQ(rig.plan(0s), NodeList{}) << placement;
    rig.report(1s, {.node = 3});
    EXPECT_EQ(sorted(rig.plan(1s)), (NodeList{0, 1, 2, 3, 4})) << placement;
  }
}

TEST(QueuePlacement, UsesNoLostNodeUntilItReturns) {
  PlacementRig rig(job_of(4), cluster(2), {.placement = "queue-wait"});
  rig.handle(0s, NodeLost{NodeId(0U)});
  rig.arrive(0s, 0);
  EXPECT_EQ(rig.plan(0s), (NodeList{1, 1, 1, 1}));
  rig.handle(1s, NodeReturned{NodeId(0U)});
  rig.end(1s, 3, Outcome::returned);
  EXPECT_EQ(rig.plan(1s), NodeList{0});
}

WorkloadBuilder two_jobs_of_three() {
  return workload().job("a", {.tasks = {2, 2, 2}}).job("b", {.tasks = {2, 2, 2}});
}

/// Two nodes of a slot each that run something, with waits of 5 and 6 s.
void report_full(PlacementRig& rig, Duration now) {
  rig.report(now, {.node = 0, .running = 1, .wait_s = 5});
  rig.report(now, {.node = 1, .running = 1, .wait_s = 6});
}

TEST(Monitor, AManagerCountsItsOwnPlacementsAndNotThoseOfOthers) {
  PlacementRig rig(two_jobs_of_three(), cluster(2),
                   {.placement = "queue-wait", .feedback = "monitor"});
  report_full(rig, 0s);
  rig.arrive(0s, 0);
  rig.arrive(0s, 1);
  rig.plan(0s);
  EXPECT_EQ(rig.nodes_of(0), (NodeList{0, 1, 0})) << "5, 6, 7";
  EXPECT_EQ(rig.nodes_of(1), (NodeList{0, 1, 0})) << "as if the other had placed nothing";
}

TEST(Monitor, AManagerWhoseTasksAlternateWithAnothersRemembersItsOwn) {
  PlacementRig rig(two_jobs_of_three(), cluster(2),
                   {.placement = "queue-wait", .feedback = "monitor", .order = "fair"});
  report_full(rig, 0s);
  rig.arrive(0s, 0);
  rig.arrive(0s, 1);
  rig.plan(0s);
  EXPECT_EQ(rig.nodes_of(0), (NodeList{0, 1, 0}));
  EXPECT_EQ(rig.nodes_of(1), (NodeList{0, 1, 0}));
}

TEST(Monitor, ThePictureStaysAsReportedUntilTheNextReport) {
  PlacementRig rig(two_jobs_of_three(), cluster(2),
                   {.placement = "queue-wait", .feedback = "monitor"});
  report_full(rig, 0s);
  rig.arrive(0s, 0);
  rig.plan(0s);
  rig.end(1s, 0);
  rig.end(1s, 1);
  rig.end(1s, 2);
  rig.report(1s, {.node = 0, .running = 1, .wait_s = 9});
  rig.arrive(1s, 1);
  EXPECT_EQ(rig.plan(1s), (NodeList{1, 1, 0})) << "6, 8 | 9; node 1 has reported nothing new";
}

TEST(Monitor, FreeSlotsAreTakenAsReportedToo) {
  PlacementRig rig(two_jobs_of_three(), of_slots({2, 1}),
                   {.placement = "queue-length", .feedback = "monitor"});
  rig.arrive(0s, 0);
  rig.arrive(0s, 1);
  rig.plan(0s);
  EXPECT_EQ(rig.nodes_of(0), (NodeList{0, 0, 1}));
  EXPECT_EQ(rig.nodes_of(1), (NodeList{0, 0, 1})) << "they are taken by then, as it cannot know";
}

}  // namespace
}  // namespace somnus::harness
