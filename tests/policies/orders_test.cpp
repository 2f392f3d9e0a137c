// What the orders do with weights, stages, errors of estimates and lost attempts.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

// F = 8 / 1 and 12 / 3.
TEST(Cfq, DividesTheSlotTimeByTheWeight) {
  const auto jobs = workload()
                        .job("light", {.weight = 1, .tasks = {2, 2, 2, 2}})
                        .job("heavy", {.weight = 3, .tasks = {3, 3, 3, 3}});
  const World world = simulate(jobs, cluster(4), {.order = "cfq"});
  expect_finish(world, {{"heavy", 3}, {"light", 5}});
}

// In the fluid of two slots the long job is over at 2 s, although its one task really runs until
// 4 s. So between 3 s and 4 s job a has the fluid for itself, V grows by 2 and puts b behind it;
// were the long job still counted, V would grow by 1 and b would go first.
TEST(Cfq, MembershipIsByTheFluidNotByWhatReallyRuns) {
  const auto jobs = workload()
                        .job("long", {.tasks = {4}})                   // F = 4
                        .job("a", {.at = 3s, .tasks = {3, 3, 3}})      // V = 4, F = 13
                        .job("b", {.at = 4s, .tasks = {3.75, 3.75}});  // V = 6, F = 13.5
  const World world = simulate(jobs, cluster(2), {.order = "cfq"});
  EXPECT_EQ(world.served_at(3s), (Served{"a"}));
  EXPECT_EQ(world.served_at(4s), (Served{"a"}));
  EXPECT_EQ(world.served_at(6s), (Served{"a"}));
  EXPECT_EQ(world.served_at(7s), (Served{"b"}));
}

TEST(Cfq, AllStagesOfAJobInheritItsVirtualFinish) {
  const auto jobs = workload()
                        .job("two-stages")  // F = 2
                        .stage(0, {.tasks = {1}})
                        .stage(1, {.parents = {0}, .tasks = {1}})
                        .job("flat", {.tasks = {1, 1, 1, 1, 1, 1, 1, 1, 1}});  // F = 9
  const World world = simulate(jobs, cluster(1), {.order = "cfq"});
  EXPECT_DOUBLE_EQ(world.finish_of("two-stages"), 2);
}

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

TEST(Fair, SharesByWeight) {
  const auto jobs = workload()
                        .job("one", {.weight = 1, .tasks = std::vector<double>(20, 1.0)})
                        .job("three", {.weight = 3, .tasks = std::vector<double>(20, 1.0)});
  const World world = simulate(jobs, cluster(8), {.order = "fair"});
  const Served first = world.served_at(0s);
  EXPECT_EQ(std::count(first.begin(), first.end(), "one"), 2);
  EXPECT_EQ(std::count(first.begin(), first.end(), "three"), 6);
}

TEST(Fair, FillsMinimumSharesBeforeItLooksAtWeights) {
  const auto jobs = workload()
                        .job("one", {.weight = 1, .tasks = std::vector<double>(20, 1.0)})
                        .job("nine", {.weight = 9, .tasks = std::vector<double>(20, 1.0)});
  const auto ones_of = [&](std::uint32_t slots) {
    const World world =
        simulate(jobs, cluster(slots), {.order = "fair", .of_order = {{"min_share", 3.0}}});
    const Served first = world.served_at(0s);
    return std::count(first.begin(), first.end(), "one");
  };
  EXPECT_EQ(ones_of(6), 3);
  EXPECT_EQ(ones_of(10), 3) << "what is left goes by weight";
}

TEST(Fair, LooksAgainAfterEachTaskThatItStarts) {
  const auto jobs = workload().job("a", {.tasks = {1, 1, 1, 1}}).job("b", {.tasks = {1, 1, 1, 1}});
  const World world = simulate(jobs, cluster(4), {.order = "fair"});
  EXPECT_EQ(world.served_at(0s), (Served{"a", "b", "a", "b"}));
}

// Four tasks of the wide job are runnable in two stages; per job it has one share, per stage two.
TEST(Fair, PerStageAJobWithTwoRunnableStagesHasTwoShares) {
  const auto jobs = workload()
                        .job("wide")
                        .stage(0, {.tasks = {1, 1, 1, 1}})
                        .stage(1, {.tasks = {1, 1, 1, 1}})
                        .job("flat", {.tasks = {1, 1, 1, 1, 1, 1}});
  const auto flat_at_first = [&](const std::string& level) {
    const World world =
        simulate(jobs, cluster(6), {.order = "fair", .of_order = {{"level", level}}});
    const Served first = world.served_at(0s);
    return std::count(first.begin(), first.end(), "flat");
  };
  EXPECT_EQ(flat_at_first("job"), 3);
  EXPECT_EQ(flat_at_first("stage"), 2);
}

// Remaining work falls by the mean task with every end, however long the task really was: after
// its 1 s task, job a counts 12 - 4 = 8 left (really 11), less than the 9 of job b.
TEST(Srpt, CountsAFinishedTaskAsTheMeanOfItsJob) {
  const auto jobs = workload().job("a", {.tasks = {1, 5, 6}}).job("b", {.at = 500ms, .tasks = {9}});
  const World world = simulate(jobs, cluster(1), {.order = "srpt"});
  EXPECT_EQ(world.served_at(1s), (Served{"a"}));
  expect_finish(world, {{"a", 12}, {"b", 21}});
}

// The exact variant sees that 11 are really left.
TEST(Srpt, MayCountAFinishedTaskAsWhatWasEstimatedOfIt) {
  const auto jobs = workload().job("a", {.tasks = {1, 5, 6}}).job("b", {.at = 500ms, .tasks = {9}});
  const World world =
      simulate(jobs, cluster(1), {.order = "srpt", .of_order = {{"subtract", "own"}}});
  EXPECT_EQ(world.served_at(1s), (Served{"b"}));
}

// At 2 s one of a's four tasks has ended and one runs: 11 - 11/4 = 8.25 left, more than the 7 of b.
// Without the running one it would be 5.5, and less.
TEST(Srpt, CountsARunningTaskInFull) {
  const auto jobs =
      workload().job("a", {.tasks = {2, 3, 3, 3}}).job("b", {.at = 1s, .tasks = {3.5, 3.5}});
  EXPECT_EQ(simulate(jobs, cluster(2), {.order = "srpt"}).served_at(2s), (Served{"b"}));
}

TEST(Srpt, NeverTakesASlotFromARunningTask) {
  const auto jobs = workload().job("long", {.tasks = {10}}).job("short", {.at = 1s, .tasks = {1}});
  const World world = simulate(jobs, cluster(1), {.order = "srpt"});
  expect_finish(world, {{"long", 10}, {"short", 11}});
}

TEST(Fifo, LaterJobsGetTheSlotsThatTheFirstCannotUse) {
  const auto jobs = workload()
                        .job("chain")
                        .stage(0, {.tasks = {2}})
                        .stage(1, {.parents = {0}, .tasks = {2, 2, 2}})
                        .job("other", {.tasks = {3, 3, 3}});
  const World world = simulate(jobs, cluster(3), {.order = "fifo"});
  EXPECT_EQ(world.served_at(0s), (Served{"chain", "other", "other"}));
  EXPECT_EQ(world.served_at(2s), (Served{"chain"}));
  EXPECT_EQ(world.served_at(3s), (Served{"chain", "chain"}));
  expect_finish(world, {{"chain", 5}, {"other", 7}});
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

// The first job's later stage uses up what it can; its big tasks still wait, and must not hold up
// the job behind it.
TEST_P(EveryOrder, GoesOnToTheNextJobWhenTheRestOfTheFirstFitsNowhere) {
  const Cluster vectors{.groups = {{.count = 1, .slots = 8, .capacity = amounts({4})}},
                        .resources = {"cpu"}};
  auto jobs = workload();
  jobs.resources({"cpu"})
      .job("first")
      .stage(0, {.tasks = {2, 2}, .demand = {3}})
      .stage(1, {.tasks = {2}, .demand = {0}})
      .job("second", {.tasks = {7}, .demand = {0}});
  const World world = simulate(jobs, vectors, {.order = GetParam()});
  expect_finish(world, {{"second", 7}, {"first", 4}});
}

INSTANTIATE_TEST_SUITE_P(Orders, EveryOrder,
                         ::testing::Values("fifo", "fair", "srpt", "cfq", "ujf", "uwfq"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace somnus::harness
