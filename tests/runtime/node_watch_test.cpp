// Nodes that say nothing when they are lost: who is given up when, and what a run makes of it.
#include "runtime/node_watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

TEST(NodeWatch, GivesUpWhoeverHasBeenSilentTheLongest) {
  NodeWatch watch(3s, 3);
  EXPECT_EQ(watch.next(), at(3s));
  watch.heard(at(1s), NodeId(0U));
  watch.heard(at(2s), NodeId(1U));
  EXPECT_EQ(watch.silent(at(2999ms)), NodeId());
  EXPECT_EQ(watch.silent(at(3s)), NodeId(2U));
  EXPECT_TRUE(watch.give_up(NodeId(2U)).empty());
  EXPECT_EQ(watch.silent(at(3s)), NodeId());
  EXPECT_EQ(watch.next(), at(4s));
  EXPECT_EQ(watch.incarnation(NodeId(2U)), 1);
  EXPECT_TRUE(watch.given_up(NodeId(2U)));
  watch.heard(at(5s), NodeId(2U));
  EXPECT_FALSE(watch.given_up(NodeId(2U)));
}

TEST(NodeWatch, BelievesOnlyTheLifeThatItKnows) {
  NodeWatch watch(3s, 1);
  const auto accepts = [&](NodeStatus status, Incarnation incarnation) {
    return watch.accepts(
        NodeStatusMessage{.node = NodeId(0U), .status = status, .incarnation = incarnation});
  };
  EXPECT_TRUE(accepts(NodeStatus::heartbeat, 0));
  EXPECT_FALSE(accepts(NodeStatus::registers, 0));
  static_cast<void>(watch.give_up(NodeId(0U)));
  EXPECT_FALSE(accepts(NodeStatus::heartbeat, 0));
  EXPECT_TRUE(accepts(NodeStatus::returned, 1));
}

TEST(NodeWatch, RemembersQuestionsWithoutAnAnswer) {
  NodeWatch watch(3s, 2);
  for (const std::uint32_t stage : {4U, 5U, 4U}) watch.asked(NodeId(1U), StageId(stage));
  watch.answered(NodeId(1U), StageId(4U));
  EXPECT_EQ(watch.give_up(NodeId(1U)), (std::vector{StageId(5U), StageId(4U)}));
  EXPECT_TRUE(watch.give_up(NodeId(0U)).empty());
}

TEST(NodeWatch, AnEndIsRecordedOnceItIsHeardAndTheAttemptGivenUpInEitherOrder) {
  NodeWatch watch(3s, 1);
  const CompletionMessage end{.finished = at(7s), .task = TaskId(3U), .attempt = 2};
  EXPECT_FALSE(watch.refuse(end));
  const auto known = watch.given_up(TaskId(3U), 2);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->finished, at(7s));
  EXPECT_EQ(known->outcome, Outcome::lost);
  EXPECT_FALSE(watch.given_up(TaskId(3U), 3));
  EXPECT_TRUE(watch.refuse({.task = TaskId(3U), .attempt = 3}));
}

/// One slot, heartbeats every second from 0 s on, given up after 3 s without one.
Conditions silent(std::vector<NodeFault> faults) {
  Conditions made{.order = "fifo"};
  made.nodes = {.heartbeats = true,
                .random_phase = false,
                .heartbeat_interval = 1s,
                .faults = std::move(faults),
                .silent = true};
  made.loop.silence = 3s;
  return made;
}

WorkloadBuilder one_task_of(double seconds) {
  WorkloadBuilder jobs;
  jobs.job("a").stage(0, {.tasks = {seconds}});
  return jobs;
}

std::vector<Duration> times_of_loss(const World& world) {
  std::vector<Duration> times;
  for (const Heard& heard : world.events) {
    if (std::holds_alternative<NodeLost>(heard.event)) times.push_back(heard.at - start_of_time);
  }
  return times;
}

TEST(SilentNode, IsGivenUpAfterThatManyHeartbeatsAndItsTaskRunsElsewhere) {
  const World world =
      simulate(one_task_of(10), cluster(2), silent({{at(5500ms), NodeId(0U), NodeChange::lost}}));
  EXPECT_EQ(times_of_loss(world), std::vector<Duration>{8s}) << "last heard at 5 s";
  ASSERT_EQ(world.attempts.size(), 2U);
  EXPECT_EQ(world.attempts[0].outcome, Outcome::lost);
  EXPECT_EQ(world.attempts[0].finished, at(5500ms)) << "what became of it is known to the log";
  EXPECT_EQ(world.attempts[0].reported, at(8s));
  EXPECT_EQ(world.attempts[1].node, NodeId(1U));
  EXPECT_EQ(world.attempts[1].started, at(8s));
}

TEST(SilentNode, ThatWasAwayForAMomentIsFoundOutWhenItRegisters) {
  const World world = simulate(one_task_of(10), cluster(1),
                               silent({{at(5500ms), NodeId(0U), NodeChange::lost},
                                       {at(6500ms), NodeId(0U), NodeChange::returned}}));
  EXPECT_EQ(times_of_loss(world), std::vector<Duration>{6500ms});
  ASSERT_EQ(world.attempts.size(), 2U);
  EXPECT_EQ(world.attempts[1].started, at(6500ms)) << "no delay: it has its new life at once";
}

TEST(SilentNode, ThatWasOnlyCutOffIsRefusedWhatItDidAndBeginsAgain) {
  const World world = simulate(one_task_of(10), cluster(1),
                               silent({{.at = at(5500ms),
                                        .node = NodeId(0U),
                                        .change = NodeChange::cut_off,
                                        .until = at(14500ms)}}));
  EXPECT_EQ(times_of_loss(world), std::vector<Duration>{8s});
  ASSERT_EQ(world.attempts.size(), 2U);
  EXPECT_EQ(world.attempts[0].outcome, Outcome::lost) << "though it finished, nobody wanted it";
  EXPECT_EQ(world.attempts[0].finished, at(10s));
  EXPECT_EQ(world.attempts[0].reported, at(8s));
  EXPECT_EQ(world.attempts[1].started, at(15s)) << "its next heartbeat, then its new life";
  EXPECT_EQ(world.attempts[1].outcome, Outcome::finished);
}

TEST(SilentNode, ThatIsCutOffForLessIsBelievedAllThatItDid) {
  const World world = simulate(one_task_of(6), cluster(1),
                               silent({{.at = at(5500ms),
                                        .node = NodeId(0U),
                                        .change = NodeChange::cut_off,
                                        .until = at(7500ms)}}));
  EXPECT_TRUE(times_of_loss(world).empty());
  ASSERT_EQ(world.attempts.size(), 1U);
  EXPECT_EQ(world.attempts[0].finished, at(6s));
  EXPECT_EQ(world.attempts[0].reported, at(7500ms));
}

}  // namespace
}  // namespace somnus::harness
