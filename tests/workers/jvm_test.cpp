// Warm-up: the first task of an app on a slot is cold, those that follow it there are warm.
#include <gtest/gtest.h>

#include "harness/nodes.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

const NodeModel reuse{.warmup = reuse_warmup(3)};

/// Of one app after another in one slot, 100 s apart.
std::vector<CompletionMessage> in_one_slot(const Warmup& warmup, std::vector<Nodes::Task> tasks,
                                           double slowdown = 1) {
  Cluster where = cluster(1);
  where.groups[0].slowdown = slowdown;
  Nodes nodes(where, {.warmup = warmup});
  Duration now{};
  std::vector<CompletionMessage> ends;
  for (const Nodes::Task& task : tasks) {
    const TaskId id = nodes.launch(now, task);
    nodes.run_to(now + 99s);
    ends.push_back(nodes.end_of(id));
    now += 100s;
  }
  return ends;
}

std::vector<Duration> intended(const std::vector<CompletionMessage>& ends) {
  std::vector<Duration> times;
  for (const CompletionMessage& end : ends) times.push_back(end.intended);
  return times;
}

std::vector<bool> warm(const std::vector<CompletionMessage>& ends) {
  std::vector<bool> are;
  for (const CompletionMessage& end : ends) are.push_back(end.warm);
  return are;
}

const Nodes::Task of_app_1{.nominal = 8s, .app = 1};
const Nodes::Task of_app_2{.nominal = 8s, .app = 2};
const Nodes::Task of_own_factor{.nominal = 8s, .app = 1, .warmup = 1.5};

TEST(JvmReuse, MakesTheFirstTaskOfAnAppOnASlotColdAndTheNextOnesWarm) {
  const auto ends = in_one_slot(reuse_warmup(3), {of_app_1, of_app_1});
  EXPECT_EQ(intended(ends), (std::vector<Duration>{24s, 8s}));
  EXPECT_EQ(warm(ends), (std::vector{false, true}));
  EXPECT_EQ(ends[0].finished, at(24s));
  EXPECT_EQ(ends[1].finished, at(108s));
}

TEST(JvmReuse, ASlotKeepsOneAppWarmOnly) {
  EXPECT_EQ(intended(in_one_slot(reuse_warmup(3), {of_app_1, of_app_2, of_app_1})),
            (std::vector<Duration>{24s, 24s, 24s}));
}

TEST(JvmReuse, TheJobsOwnFactorGoesBeforeTheModels) {
  EXPECT_EQ(intended(in_one_slot(reuse_warmup(3), {of_own_factor, of_own_factor})),
            (std::vector<Duration>{12s, 8s}));
}

TEST(JvmReuse, MultipliesWithTheSlownessOfTheNode) {
  EXPECT_EQ(intended(in_one_slot(reuse_warmup(3), {of_app_1, of_app_1}, 1.5)),
            (std::vector<Duration>{36s, 12s}));
}

TEST(JvmReuse, ATaskGoesToAWarmSlotOfItsNodeIfOneIsFree) {
  Nodes nodes(cluster(1, 3), reuse);
  std::vector<TaskId> cold;
  for (const std::uint32_t app : {1U, 2U, 3U}) {
    cold.push_back(nodes.launch(0s, {.nominal = 1s, .app = app}));
  }
  auto start = 0s;
  for (const std::uint32_t app : {2U, 1U, 3U}) {
    start += 10s;
    const TaskId warm = nodes.launch(start, {.nominal = 1s, .app = app});
    nodes.run_to(start + 9s);
    EXPECT_TRUE(nodes.end_of(warm).warm);
    EXPECT_EQ(nodes.end_of(warm).slot, nodes.end_of(cold[app - 1]).slot);
  }
}

TEST(JvmReuse, IsForgottenWhenTheNodeIsLost) {
  NodeModel model = reuse;
  model.faults = away(10s, 11s);
  Nodes nodes(cluster(1), model);
  nodes.launch(0s, {.nominal = 1s, .app = 1});
  const TaskId after = nodes.launch(12s, {.nominal = 1s, .app = 1});
  nodes.run_to(20s);
  EXPECT_FALSE(nodes.end_of(after).warm);
  EXPECT_EQ(nodes.end_of(after).intended, 3s);
}

TEST(NoJvm, LeavesDurationsAsTheyAre) {
  const auto ends = in_one_slot({}, {{.nominal = 2s, .app = 1, .first = 3s, .fresh = 4s},
                                     {.nominal = 2s, .app = 1, .warmup = 2}});
  EXPECT_EQ(intended(ends), (std::vector<Duration>{2s, 2s}));
  EXPECT_EQ(warm(ends), (std::vector{false, false}));
}

TEST(JvmExecutor, StartsOnceAndThenWarmsUpTaskByTask) {
  // 8 s x (1 + 2 x (1, 3/4, 1/2, 1/4, 0)), the first 5 s later.
  const auto ends = in_one_slot(executor_warmup(5, 3, 4), std::vector(6, of_app_1));
  EXPECT_EQ(intended(ends), (std::vector<Duration>{29s, 20s, 16s, 12s, 8s, 8s}));
  EXPECT_EQ(warm(ends), (std::vector{false, false, false, false, true, true}));
}

TEST(JvmExecutor, LivesOnBesideThoseOfOtherApps) {
  const auto ends =
      in_one_slot(executor_warmup(5, 3, 2), {of_app_1, of_app_2, of_app_1, of_app_2, of_app_1});
  EXPECT_EQ(intended(ends), (std::vector<Duration>{29s, 29s, 16s, 16s, 8s}));
}

TEST(JvmExecutor, TheJobsOwnFactorGoesBeforeTheModels) {
  EXPECT_EQ(intended(in_one_slot(executor_warmup(1, 3, 2), std::vector(3, of_own_factor))),
            (std::vector<Duration>{13s, 10s, 8s}));
}

TEST(JvmExecutor, ASlowNodeStartsItSlowlyToo) {
  EXPECT_EQ(intended(in_one_slot(executor_warmup(2, 3, 1), {of_app_1}, 1.5)),
            std::vector<Duration>{39s});
}

TEST(JvmExecutor, OfFactorOneThatStartsAtOnceIsNone) {
  const std::vector<Nodes::Task> tasks{of_app_1, of_app_2, of_app_1, of_app_1};
  EXPECT_EQ(intended(in_one_slot(executor_warmup(0, 1, 3), tasks)),
            intended(in_one_slot({}, tasks)));
}

TEST(JvmExecutor, ThatNeedsOneTaskIsReuseAsLongAsASlotHasOneApp) {
  const std::vector<Nodes::Task> tasks(3, of_app_1);
  const auto executor = in_one_slot(executor_warmup(0, 3, 1), tasks);
  const auto reused = in_one_slot(reuse_warmup(3), tasks);
  EXPECT_EQ(intended(executor), intended(reused));
  EXPECT_EQ(warm(executor), warm(reused));
}

TEST(JvmExecutor, ATaskGoesWhereItsJvmIsWarmest) {
  Nodes nodes(cluster(1, 2), {.warmup = executor_warmup(0, 3, 4)});
  nodes.launch(0s, {.nominal = 1s, .app = 1});  // slot 0
  nodes.launch(0s, {.nominal = 3s, .app = 2});  // slot 1
  nodes.launch(10s, {.nominal = 1s, .app = 1});
  nodes.run_to(20s);
  const TaskId other = nodes.launch(20s, {.nominal = 1s, .app = 2});
  const TaskId beside = nodes.launch(20s, {.nominal = 1s, .app = 2});
  nodes.run_to(30s);
  EXPECT_EQ(nodes.end_of(other).slot, 1U);
  EXPECT_EQ(nodes.end_of(other).intended, 2500ms);
  EXPECT_EQ(nodes.end_of(beside).slot, 0U);
  EXPECT_EQ(nodes.end_of(beside).intended, 3s);
}

TEST(JvmExecutor, CountsATaskThatFailsAndForgetsWithTheNode) {
  NodeModel model{.warmup = executor_warmup(0, 2, 2)};
  model.faults = away(30s, 31s);
  model.fault_model.fails = 0.99;
  Nodes nodes(cluster(1), model);
  const TaskId first = nodes.launch(0s, {.nominal = 4s, .app = 1});
  const TaskId second = nodes.launch(10s, {.nominal = 4s, .app = 1});
  const TaskId after = nodes.launch(40s, {.nominal = 4s, .app = 1});
  nodes.run_to(60s);
  EXPECT_EQ(nodes.end_of(first).outcome, Outcome::failed);
  EXPECT_EQ(nodes.end_of(first).intended, 8s);
  EXPECT_EQ(nodes.end_of(second).intended, 6s);
  EXPECT_EQ(nodes.end_of(after).intended, 8s);
}

TEST(JvmMeasured, TakesWhatIsListedForWhatTheSlotRanBefore) {
  const auto task = [](std::uint32_t app, std::uint32_t stage) {
    return Nodes::Task{.nominal = 1s, .app = app, .first = 2s, .fresh = 4s, .stage = stage};
  };
  const auto ends = in_one_slot(
      measured_warmup(), {task(1, 1), task(1, 1), task(1, 2), task(2, 3), task(1, 2), task(1, 2)});
  EXPECT_EQ(intended(ends), (std::vector<Duration>{4s, 1s, 2s, 4s, 4s, 1s}));
  EXPECT_EQ(warm(ends), (std::vector{false, true, false, false, false, true}));
}

TEST(JvmMeasured, IsNominalWhereNothingIsListed) {
  const auto ends = in_one_slot(measured_warmup(), {of_app_1, of_app_2, of_app_2});
  EXPECT_EQ(intended(ends), (std::vector<Duration>{8s, 8s, 8s}));
  EXPECT_EQ(warm(ends), (std::vector{false, false, true}));
}

TEST(JvmMeasured, KnowsNoFactor) {
  const Nodes::Task task{.nominal = 1s, .app = 1, .warmup = 3};
  EXPECT_EQ(intended(in_one_slot(measured_warmup(), {task})), std::vector<Duration>{1s});
}

// Measured times may be odd: where a fresh slot is the quickest, the task goes there.
TEST(JvmMeasured, ATaskGoesToAnUnusedSlotIfItTakesLeastThere) {
  Nodes nodes(cluster(1, 2), {.warmup = measured_warmup()});
  nodes.launch(0s, {.nominal = 1s, .app = 1, .stage = 1});
  const TaskId odd =
      nodes.launch(10s, {.nominal = 9s, .app = 1, .first = 5s, .fresh = 2s, .stage = 2});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(odd).slot, 1U);
  EXPECT_EQ(nodes.end_of(odd).intended, 2s);
}

TEST(JvmModels, BreakTiesByTheSlotThatWasFreedLast) {
  for (const Warmup& warmup : {reuse_warmup(2), executor_warmup(1, 2, 3), measured_warmup()}) {
    Nodes nodes(cluster(1, 3), {.warmup = warmup});
    for (const Duration nominal : {3s, 1s, 2s}) nodes.launch(0s, {.nominal = nominal, .app = 1});
    const TaskId other = nodes.launch(20s, {.nominal = 1s, .app = 2});
    const TaskId next = nodes.launch(20s, {.nominal = 1s, .app = 2});
    nodes.run_to(30s);
    EXPECT_EQ(nodes.end_of(other).slot, 0U) << warmup.row().name;
    EXPECT_EQ(nodes.end_of(next).slot, 2U) << warmup.row().name;
  }
}

TEST(Warmup, AModelThatSaysSoTakesNominalTimes) {
  EXPECT_TRUE(find_warmup("none")->nominal);
  const TaskTimes times{.nominal = 7s, .first = 9s, .fresh = 11s, .warmup = 3};
  for (const WarmupRow& row : warmup_models()) {
    if (!row.nominal) continue;  // else nodes ask it
    for (const bool same : {false, true}) {
      const Taken taken = row.make(row.parameters.defaults())(times, {.app = same, .stage = same});
      EXPECT_EQ(taken.base, 7s) << row.name;
      EXPECT_EQ(taken.factor, 1) << row.name;
      EXPECT_EQ(taken.start, 0s) << row.name;
      EXPECT_FALSE(taken.warm) << row.name;
    }
  }
}

}  // namespace
}  // namespace somnus::harness
