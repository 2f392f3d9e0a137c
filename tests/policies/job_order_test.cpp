// The job queue of Yaq-c, by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

Conditions by(const char* what, Parameters more = {}) {
  more["by"] = what;
  return {.order = "job-queue", .of_order = std::move(more)};
}

/// At 1 s one slot is free, and three jobs wait: the earliest with 3 tasks and 6 s of work, one
/// with 1 task of 5 s, one with 2 tasks and 4 s.
WorkloadBuilder three_jobs() {
  return workload()
      .job("before", {.tasks = {1}})
      .job("earliest", {.at = 100ms, .tasks = {2, 2, 2}})
      .job("fewest", {.at = 200ms, .tasks = {5}})
      .job("least", {.at = 300ms, .tasks = {2, 2}});
}

TEST(JobQueue, ServesTheEarliestJobByDefault) {
  const World world = simulate(three_jobs(), cluster(1), {.order = "job-queue"});
  EXPECT_EQ(world.served_at(1s), (Served{"earliest"}));
  EXPECT_LT(world.finish_of("earliest"), world.finish_of("fewest"));
  EXPECT_LT(world.finish_of("fewest"), world.finish_of("least"));
}

TEST(JobQueue, ServesTheJobWithTheLeastRemainingWork) {
  const World world = simulate(three_jobs(), cluster(1), by("srjf"));
  EXPECT_EQ(world.finish_of("least"), 5);
  EXPECT_EQ(world.finish_of("fewest"), 10);
  EXPECT_EQ(world.finish_of("earliest"), 16);
}

TEST(JobQueue, ServesTheJobWithTheFewestUnfinishedTasks) {
  const World world = simulate(three_jobs(), cluster(1), by("lrtf"));
  EXPECT_EQ(world.finish_of("fewest"), 6);
  EXPECT_EQ(world.finish_of("least"), 10);
  EXPECT_EQ(world.finish_of("earliest"), 16);
}

// At 9 s ten of eleven seconds' work are done.
TEST(JobQueue, TheShortestJobIsThatWithTheLeastWorkInAllNotWithTheLeastLeft) {
  const auto jobs = workload()
                        .job("nearly done", {.tasks = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}})
                        .job("short", {.at = 8500ms, .tasks = {3}});
  EXPECT_EQ(simulate(jobs, cluster(1), by("sjf")).served_at(9s), (Served{"short"}));
  EXPECT_EQ(simulate(jobs, cluster(1), by("srjf")).served_at(9s), (Served{"nearly done"}));
  EXPECT_EQ(simulate(jobs, cluster(1), by("lrtf")).served_at(9s), (Served{"nearly done"}));
}

// At 1 s the first job has 5 s of work waiting and 5 s running: 10 s, more than the other's 9 s.
TEST(JobQueue, ARunningTaskCountsInFullUntilItsEndIsHeard) {
  const auto jobs = workload()
                        .job("before", {.tasks = {1}})
                        .job("half running", {.tasks = {5, 5}})
                        .job("waiting", {.at = 500ms, .tasks = {3, 3, 3}});
  EXPECT_EQ(simulate(jobs, cluster(2), by("srjf")).served_at(1s), (Served{"waiting"}));
}

// At 9 s a task of 1 s is left, and counts as the stage's mean, 5 s.
TEST(JobQueue, EachTaskCountsAsTheMeanOfItsStage) {
  const auto jobs =
      workload().job("uneven", {.tasks = {9, 1}}).job("other", {.at = 1s, .tasks = {3}});
  EXPECT_EQ(simulate(jobs, cluster(1), by("srjf")).served_at(9s), (Served{"other"}));
}

// At 1 s its second stage has become runnable: 4 tasks of 3 s; one of them at 4 s: 3 tasks.
TEST(JobQueue, StagesThatCannotRunYetAreRemainingWorkToo) {
  const auto jobs = workload()
                        .job("two stages")
                        .stage(0, {.tasks = {1, 1}})
                        .stage(1, {.parents = {0}, .tasks = {8}})
                        .job("one stage", {.at = 500ms, .tasks = {4, 4}});
  const World world = simulate(jobs, cluster(1), by("srjf"));
  EXPECT_EQ(world.served_at(1s), (Served{"one stage"}));
  EXPECT_EQ(world.finish_of("one stage"), 9);
}

/// A job of 5 s arrives at 0.5 s, and after it each second another job of 1 s.
WorkloadBuilder a_long_job_among_short_ones() {
  auto jobs = workload().job("before", {.tasks = {1}}).job("long", {.at = 500ms, .tasks = {5}});
  for (int at = 0; at < 9; ++at) {
    jobs.job(fmt::format("short{}", at), {.at = 1s * at + 900ms, .tasks = {1}});
  }
  return jobs;
}

TEST(JobQueue, WithoutAThresholdALongJobWaitsForAllShortOnes) {
  const World world = simulate(a_long_job_among_short_ones(), cluster(1), by("sjf"));
  EXPECT_EQ(world.finish_of("long"), 15);
}

TEST(JobQueue, AStarvedJobGoesFirst) {
  for (const auto& [starvation_s, served_at] :
       std::vector<std::pair<double, Duration>>{{2.4, 3s}, {2.6, 4s}, {3.4, 4s}, {3.6, 5s}}) {
    const World world = simulate(a_long_job_among_short_ones(), cluster(1),
                                 by("sjf", {{"starvation_s", starvation_s}}));
    EXPECT_EQ(world.served_at(served_at), (Served{"long"})) << starvation_s;
  }
}

TEST(JobQueue, AJobIsStarvedAtItsThresholdNotOnlyBeyondIt) {
  const World world =
      simulate(a_long_job_among_short_ones(), cluster(1), by("sjf", {{"starvation_s", 3.5}}));
  EXPECT_EQ(world.served_at(4s), (Served{"long"}));
}

// 0.5 x 5 s: the long job is starved at 3 s, no short one is before it has waited 0.5 s.
TEST(JobQueue, TheRelativeThresholdIsTimesTheJobsMeanTask) {
  const World world = simulate(a_long_job_among_short_ones(), cluster(1),
                               by("sjf", {{"starvation_relative", 0.5}}));
  EXPECT_EQ(world.served_at(2s), (Served{"short1"}));
  EXPECT_EQ(world.served_at(3s), (Served{"long"}));
}

TEST(JobQueue, OfTwoThresholdsTheSmallerCounts) {
  for (const auto& [hard_s, relative] :
       std::vector<std::pair<double, double>>{{3.5, 9.0}, {99.0, 0.7}}) {
    const World world =
        simulate(a_long_job_among_short_ones(), cluster(1),
                 by("sjf", {{"starvation_s", hard_s}, {"starvation_relative", relative}}));
    EXPECT_EQ(world.served_at(4s), (Served{"long"})) << hard_s << " s, " << relative;
  }
}

TEST(JobQueue, AmongStarvedJobsTheEarlierArrivalGoesFirst) {
  const auto jobs = workload()
                        .job("before", {.tasks = {8}})
                        .job("long and early", {.at = 1s, .tasks = {6}})
                        .job("shorter and later", {.at = 2s, .tasks = {5}})
                        .job("shortest and new", {.at = 7s, .tasks = {1}});
  const World world = simulate(jobs, cluster(1), by("sjf", {{"starvation_s", 4.0}}));
  EXPECT_EQ(world.served_at(8s), (Served{"long and early"}));
  EXPECT_EQ(world.served_at(14s), (Served{"shorter and later"}));
  EXPECT_EQ(world.served_at(19s), (Served{"shortest and new"}));
}

// The estimate is one second a task, so the threshold is 1 s, not 5 s.
TEST(JobQueue, BelievesTheEstimateNotTheTruth) {
  Conditions conditions = by("sjf", {{"starvation_relative", 1.0}});
  conditions.estimator = [](const Workload& all) { return naive_estimator(all, 1.0); };
  const World world = simulate(workload()
                                   .job("before", {.tasks = {4}})
                                   .job("long", {.at = 500ms, .tasks = {5, 5}})
                                   .job("new", {.at = 3500ms, .tasks = {9}}),
                               cluster(1), conditions);
  EXPECT_EQ(world.served_at(4s), (Served{"long"}));
}

}  // namespace
}  // namespace somnus::harness
