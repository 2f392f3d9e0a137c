// What the orders do with weights, stages, errors of estimates and lost attempts.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

TEST(Cfq, PerStageTheVirtualFinishIsSetWhenTheStageBecomesRunnable) {
  const auto jobs =
      workload()
          .job("two-stages")
          .stage(0, {.tasks = {1}})                  // F = 1
          .stage(1, {.parents = {0}, .tasks = {1}})  // runnable at 1 s: V = 1/3, F = 4/3
          .job("a", {.tasks = {1.2}})                // F = 1.2
          .job("b", {.tasks = {1.5}});               // F = 1.5
  const World by_stage =
      simulate(jobs, cluster(1), {.order = "cfq", .of_order = {{"level", "stage"}}});
  expect_finish(by_stage, {{"a", 2.2}, {"two-stages", 3.2}, {"b", 4.7}});
  const World by_job = simulate(jobs, cluster(1), {.order = "cfq"});  // F = 2, 1.2, 1.5
  expect_finish(by_job, {{"a", 1.2}, {"b", 2.7}, {"two-stages", 4.7}});
}

TEST(Cfq, BelievesTheEstimateNotTheTruth) {
  // The naive estimator knows no finished task: one second a task, so F = 1 and F = 2.
  const auto jobs = workload().job("short", {.tasks = {0.5, 0.5}}).job("long", {.tasks = {30}});
  const World world = simulate(
      jobs, cluster(1),
      {.order = "cfq", .estimator = [](const Workload& all) { return naive_estimator(all, 1.0); }});
  expect_finish(world, {{"long", 30}, {"short", 31}});
}

TEST(Fair, FillsMinimumSharesBeforeItLooksAtWeights) {
  const auto jobs = workload()
                        .job("one", {.weight = 1, .tasks = alike(20)})
                        .job("nine", {.weight = 9, .tasks = alike(20)});
  const auto ones_of = [&](std::uint32_t slots) {
    const World world =
        simulate(jobs, cluster(slots), {.order = "fair", .of_order = {{"min_share", 3.0}}});
    const Served first = world.served_at(0s);
    return std::count(first.begin(), first.end(), "one");
  };
  EXPECT_EQ(ones_of(6), 3);
  EXPECT_EQ(ones_of(10), 3) << "what is left goes by weight";
}

// The exact variant sees that 11 are really left.
TEST(Srpt, MayCountAFinishedTaskAsWhatWasEstimatedOfIt) {
  const auto jobs = workload().job("a", {.tasks = {1, 5, 6}}).job("b", {.at = 500ms, .tasks = {9}});
  const World world =
      simulate(jobs, cluster(1), {.order = "srpt", .of_order = {{"subtract", "own"}}});
  EXPECT_EQ(world.served_at(1s), (Served{"b"}));
}

class EveryOrder : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryOrder, PassesOverATaskThatFitsNowhereAndComesBackToIt) {
  const Cluster vectors{.groups = {{.count = 1, .slots = 8, .capacity = amounts({4})}},
                        .resources = {"cpu"}};
  auto jobs = workload();
  jobs.resources({"cpu"})
      .job("running", {.tasks = {5}, .demand = {2}})
      .job("big", {.at = 1s, .tasks = {0.5}, .demand = {4}})
      .job("small", {.at = 1s, .tasks = {1, 1}, .demand = {2}});
  const World world = simulate(jobs, vectors, {.order = GetParam()});
  expect_finish(world, {{"small", 3}, {"big", 5.5}});
}

INSTANTIATE_TEST_SUITE_P(Orders, EveryOrder,
                         ::testing::Values("fifo", "fair", "srpt", "cfq", "ujf", "uwfq"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace somnus::harness
