// Who sleeps for the tasks: the set itself, by deadlines, or somebody else, who then wakes it.
#include <gtest/gtest.h>

#include "harness/nodes.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

const NodeModel external{.external_sleep = true};

TEST(OwnSleep, StampsAnEndWhenItIsNoticedAndKeepsHowLateThatWas) {
  Nodes nodes(cluster(2), {});
  const TaskId prompt = nodes.launch(0s, {.node = 0, .nominal = 1s});
  const TaskId late = nodes.launch(0s, {.node = 1, .nominal = 2s});
  EXPECT_EQ(nodes.set().next(), at(1s));
  nodes.advance(at(1s));
  nodes.advance(at(2010ms));
  EXPECT_EQ(nodes.end_of(prompt).finished, at(1s));
  EXPECT_EQ(nodes.end_of(late).finished, at(2010ms));
  EXPECT_EQ(nodes.end_of(late).intended, 2s);
  EXPECT_EQ(nodes.set().lateness().count(), 2U);
  EXPECT_EQ(nodes.set().lateness().most(), 10ms);
}

TEST(OwnSleep, CountsALaunchThatCameLateFromWhenItWasSent) {
  Nodes nodes(cluster(1), {});
  nodes.set().send(at(300ms), LaunchMessage{.sent = at(100ms),
                                            .times = TaskTimes::alike(1s),
                                            .task = TaskId(0U),
                                            .node = NodeId(0U)});
  EXPECT_EQ(nodes.set().behind().most(), 200ms);
  nodes.run_to(2s);
  EXPECT_EQ(nodes.set().behind().count(), 2U);
  EXPECT_EQ(nodes.set().behind().most(), 200ms);
}

TEST(OwnSleep, AsksNobodyElse) {
  Nodes nodes(cluster(1), {});
  nodes.launch(0s, {.nominal = 1s});
  nodes.run_to(500ms);
  EXPECT_TRUE(nodes.set().sleeps().empty());
}

TEST(ExternalSleep, IsAskedForUntilTheTasksDeadline) {
  Nodes nodes(cluster(2), external);
  nodes.launch(1s, {.node = 0, .nominal = 2s});
  nodes.launch(1s, {.node = 1, .nominal = 5s});
  nodes.run_to(1s);
  const auto sleeps = nodes.set().sleeps();
  ASSERT_EQ(sleeps.size(), 2U);
  EXPECT_EQ(sleeps[0].until, at(3s));
  EXPECT_EQ(sleeps[1].until, at(6s));
  EXPECT_NE(sleeps[0].slot, sleeps[1].slot);
  nodes.set().forget_sleeps();
  EXPECT_TRUE(nodes.set().sleeps().empty());
}

TEST(ExternalSleep, ATaskEndsWhenItsSleeperWakesUpAndNotBefore) {
  Nodes nodes(cluster(1), external);
  const TaskId task = nodes.launch(0s, {.nominal = 2s});
  nodes.run_to(0s);
  const auto slot = nodes.set().sleeps()[0].slot;
  EXPECT_EQ(nodes.set().next(), never);
  nodes.run_to(100s);
  EXPECT_TRUE(nodes.ends().empty());
  nodes.woke(100250ms, slot);
  EXPECT_EQ(nodes.end_of(task).started, at(0s));
  EXPECT_EQ(nodes.end_of(task).finished, at(100250ms));
  EXPECT_EQ(nodes.end_of(task).intended, 2s);
  EXPECT_EQ(nodes.set().lateness().most(), 98250ms);
  EXPECT_EQ(nodes.set().busy_slots(), 0U);
}

TEST(ExternalSleep, AWakeUpBeforeTheDeadlineIsAskedToSleepOn) {
  Nodes nodes(cluster(1), external);
  nodes.launch(0s, {.nominal = 2s});
  nodes.run_to(0s);
  const auto slot = nodes.set().sleeps()[0].slot;
  nodes.set().forget_sleeps();
  nodes.woke(1999ms, slot);
  EXPECT_TRUE(nodes.ends().empty());
  ASSERT_EQ(nodes.set().sleeps().size(), 1U);
  EXPECT_EQ(nodes.set().sleeps()[0].slot, slot);
  EXPECT_EQ(nodes.set().sleeps()[0].until, at(2s));
  EXPECT_EQ(nodes.set().busy_slots(), 1U);
  nodes.woke(2s, slot);
  EXPECT_EQ(nodes.ends().size(), 1U);
}

TEST(ExternalSleep, AWakeUpForATaskThatWasLostWithItsNodeEndsNothing) {
  NodeModel model = external;
  model.faults = away(1s, 2s);
  Nodes nodes(cluster(1), model);
  const TaskId lost = nodes.launch(0s, {.nominal = 5s});
  nodes.run_to(0s);
  const auto slot = nodes.set().sleeps()[0].slot;
  nodes.set().forget_sleeps();
  const TaskId next = nodes.launch(3s, {.nominal = 10s});  // in the same slot, until 13 s
  nodes.run_to(3s);
  nodes.woke(5s, slot);  // the sleeper of the lost task
  EXPECT_EQ(nodes.end_of(lost).outcome, Outcome::lost);
  EXPECT_EQ(nodes.ends().size(), 1U);
  nodes.woke(13s, slot);
  EXPECT_EQ(nodes.end_of(next).outcome, Outcome::finished);
  EXPECT_EQ(nodes.end_of(next).finished, at(13s));
}

}  // namespace
}  // namespace somnus::harness
