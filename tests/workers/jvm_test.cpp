// Warm-up: the first task of an app on a slot is cold, those that follow it there are warm.
#include <gtest/gtest.h>

#include "harness/nodes.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

const NodeModel reuse{.jvm_reuse = true, .cold_factor = 3};

TEST(JvmReuse, MakesTheFirstTaskOfAnAppOnASlotColdAndTheNextOnesWarm) {
  Nodes nodes(cluster(1), reuse);
  const TaskId first = nodes.launch(0s, {.nominal = 2s, .app = 1});
  const TaskId second = nodes.launch(10s, {.nominal = 2s, .app = 1});
  nodes.run_to(20s);
  EXPECT_FALSE(nodes.end_of(first).warm);
  EXPECT_EQ(nodes.end_of(first).intended, 6s);
  EXPECT_EQ(nodes.end_of(first).finished, at(6s));
  EXPECT_TRUE(nodes.end_of(second).warm);
  EXPECT_EQ(nodes.end_of(second).intended, 2s);
  EXPECT_EQ(nodes.end_of(second).finished, at(12s));
}

TEST(JvmReuse, ASlotKeepsOneAppWarmOnly) {
  Nodes nodes(cluster(1), reuse);
  nodes.launch(0s, {.nominal = 1s, .app = 1});
  const TaskId other = nodes.launch(10s, {.nominal = 1s, .app = 2});
  const TaskId again = nodes.launch(20s, {.nominal = 1s, .app = 1});
  nodes.run_to(30s);
  EXPECT_EQ(nodes.end_of(other).intended, 3s);
  EXPECT_EQ(nodes.end_of(again).intended, 3s);
}

TEST(JvmReuse, TheJobsOwnFactorGoesBeforeTheModels) {
  Nodes nodes(cluster(1), reuse);
  const TaskId cold = nodes.launch(0s, {.nominal = 2s, .app = 1, .warmup = 1.5});
  const TaskId warm = nodes.launch(10s, {.nominal = 2s, .app = 1, .warmup = 1.5});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(cold).intended, 3s);
  EXPECT_EQ(nodes.end_of(warm).intended, 2s);
}

TEST(JvmReuse, MultipliesWithTheSlownessOfTheNode) {
  Cluster slow = cluster(1);
  slow.groups[0].slowdown = 1.5;
  Nodes nodes(slow, reuse);
  const TaskId cold = nodes.launch(0s, {.nominal = 2s, .app = 1});
  const TaskId warm = nodes.launch(10s, {.nominal = 2s, .app = 1});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(cold).intended, 9s);
  EXPECT_EQ(nodes.end_of(warm).intended, 3s);
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
  model.faults = {{at(10s), NodeId(0U), NodeNews::lost}, {at(11s), NodeId(0U), NodeNews::returned}};
  Nodes nodes(cluster(1), model);
  nodes.launch(0s, {.nominal = 1s, .app = 1});
  const TaskId after = nodes.launch(12s, {.nominal = 1s, .app = 1});
  nodes.run_to(20s);
  EXPECT_FALSE(nodes.end_of(after).warm);
  EXPECT_EQ(nodes.end_of(after).intended, 3s);
}

TEST(JvmReuse, SwitchedOffLeavesDurationsAsTheyAre) {
  Nodes nodes(cluster(1), {.jvm_reuse = false, .cold_factor = 3});
  const TaskId task = nodes.launch(0s, {.nominal = 2s, .app = 1});
  const TaskId with_factor = nodes.launch(5s, {.nominal = 2s, .app = 1, .warmup = 2});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(task).intended, 2s);
  EXPECT_EQ(nodes.end_of(with_factor).intended, 2s);
}

}  // namespace
}  // namespace somnus::harness
