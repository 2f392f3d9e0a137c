// Whole runs whose every time can be worked out by hand.
#include <gtest/gtest.h>

#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

TEST(VirtualWorld, EachTaskPaysTheNetworksWayTwice) {
  // Placed at 0, runs from 1/2 to 5/2, heard of at 3; then the next one.
  const auto jobs = workload().job("j", {.tasks = {2, 2, 2}});
  const World world =
      simulate(jobs, cluster(1), {.order = "fifo", .nodes = {.network = {.mean = 500ms}}});
  ASSERT_EQ(world.attempts.size(), 3U);
  for (int task = 0; task < 3; ++task) {
    const Attempt& attempt = world.attempts[static_cast<std::size_t>(task)];
    EXPECT_EQ(attempt.placed, at(3s * task));
    EXPECT_EQ(attempt.started, at(3s * task + 500ms));
    EXPECT_EQ(attempt.finished, at(3s * task + 2500ms));
    EXPECT_EQ(attempt.reported, at(3s * task + 3s));
  }
  EXPECT_DOUBLE_EQ(world.finish_of("j"), 8.5);
}

TEST(VirtualWorld, AHeartbeatSchedulerFillsANodeOnlyWhenItsHeartbeatComes) {
  // Beats every 3 s. The tasks of 1 s leave each slot idle until the next beat.
  const auto jobs = workload().job("j", {.at = 1s, .tasks = {1, 1, 1, 1}});
  const World world =
      simulate(jobs, cluster(1, 2),
               {.order = "fifo",
                .feedback = "heartbeat",
                .nodes = {.heartbeats = true, .random_phase = false, .heartbeat_interval = 3s}});
  ASSERT_EQ(world.attempts.size(), 4U);
  EXPECT_EQ(world.attempts[0].placed, at(3s));
  EXPECT_EQ(world.attempts[1].placed, at(3s));
  EXPECT_EQ(world.attempts[0].reported, at(6s));
  EXPECT_EQ(world.attempts[2].placed, at(6s));
  EXPECT_EQ(world.attempts[3].placed, at(6s));
  EXPECT_DOUBLE_EQ(world.finish_of("j"), 7);
}

TEST(VirtualWorld, UnevenWaysMakeNoSlotWaitForAnotherHeartbeat) {
  const auto jobs = workload().job("j", {.tasks = alike(200, 4)});
  const auto finish = [&](double jitter) {
    return simulate(jobs, cluster(10, 4),
                    {.order = "fifo",
                     .feedback = "heartbeat",
                     .nodes = {.heartbeats = true,
                               .heartbeat_interval = 3s,
                               .network = {.mean = 1us, .jitter = jitter}}})
        .finish_of("j");
  };
  EXPECT_NEAR(finish(0.5), finish(0), 0.001);
}

TEST(VirtualWorld, ASlowNodeTakesLongerAndAJobWarmsItsSlots) {
  Cluster nodes = cluster(1);
  nodes.groups[0].slowdown = 2;
  const auto jobs = workload().job("j", {.warmup = 1.5, .tasks = {2, 2}});
  const World world =
      simulate(jobs, nodes, {.order = "fifo", .nodes = {.warmup = reuse_warmup(9)}});
  EXPECT_FALSE(world.attempts[0].warm);
  EXPECT_EQ(world.attempts[0].intended, 6s);
  EXPECT_TRUE(world.attempts[1].warm);
  EXPECT_EQ(world.attempts[1].intended, 4s);
  EXPECT_DOUBLE_EQ(world.finish_of("j"), 10);
}

TEST(VirtualWorld, JobsOfOneAppShareTheirWarmSlots) {
  const auto jobs = workload()
                        .job("a", {.app = "tpch", .tasks = {1}})
                        .job("b", {.at = 5s, .app = "tpch", .tasks = {1}})
                        .job("c", {.at = 9s, .tasks = {1}});
  const World world =
      simulate(jobs, cluster(1), {.order = "fifo", .nodes = {.warmup = reuse_warmup(2)}});
  expect_finish(world, {{"a", 2}, {"b", 6}, {"c", 11}});
}

TEST(VirtualWorld, ALostTaskStartsOverOnAnotherNode) {
  const auto jobs = workload().job("j", {.tasks = {4, 6}});
  const World world =
      simulate(jobs, cluster(2),
               {.order = "fifo", .nodes = {.faults = {{at(3s), NodeId(0U), NodeChange::lost}}}});
  const auto attempts = world.attempts_of("j");
  ASSERT_EQ(attempts.size(), 3U);
  EXPECT_EQ(attempts[0].outcome, Outcome::lost);
  EXPECT_EQ(attempts[0].finished, at(3s));
  EXPECT_EQ(attempts[1].task, attempts[0].task);
  EXPECT_EQ(attempts[1].number, 1);
  EXPECT_EQ(attempts[1].node, NodeId(1U));
  EXPECT_EQ(attempts[1].started, at(6s));
  EXPECT_DOUBLE_EQ(world.finish_of("j"), 10);
}

}  // namespace
}  // namespace somnus::harness
