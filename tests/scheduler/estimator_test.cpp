#include "scheduler/estimator.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/builders.hpp"

namespace somnus {
namespace {

using harness::workload;
using namespace std::chrono_literals;

constexpr StageId map(0U);
constexpr StageId reduce(1U);

Workload two_stages() {
  return workload()
      .job("j")
      .stage(0, {.tasks = {2, 4}})
      .stage(1, {.parents = {0}, .tasks = {3}})
      .build();
}

TEST(ExactEstimator, TellsTheTruth) {
  const Workload jobs = two_stages();
  const auto estimator = exact_estimator(jobs);
  estimator->job_arrived(JobId(0U));
  EXPECT_DOUBLE_EQ(estimator->slot_time(map).seconds, 6);
  EXPECT_DOUBLE_EQ(estimator->slot_time(reduce).seconds, 3);
  EXPECT_DOUBLE_EQ(estimator->own(TaskId(0U)).seconds, 2);
  EXPECT_DOUBLE_EQ(estimator->own(TaskId(1U)).seconds, 4);
}

TEST(StageMeanEstimator, IsRightForTheStageAndTheSameForEachOfItsTasks) {
  const Workload jobs = two_stages();
  const auto estimator = stage_mean_estimator(jobs);
  estimator->job_arrived(JobId(0U));
  EXPECT_DOUBLE_EQ(estimator->slot_time(map).seconds, 6);
  EXPECT_DOUBLE_EQ(estimator->own(TaskId(0U)).seconds, 3);
  EXPECT_DOUBLE_EQ(estimator->own(TaskId(1U)).seconds, 3);
  EXPECT_DOUBLE_EQ(estimator->own(TaskId(2U)).seconds, 3);
}

Workload many_jobs() {
  auto jobs = workload();
  for (int at = 0; at < 1000; ++at) {
    jobs.job("j" + std::to_string(at))
        .stage(0, {.tasks = {1, 3}})
        .stage(1, {.parents = {0}, .tasks = {5}});
  }
  return jobs.build();
}

double factor_of(const Estimator& estimator, std::uint32_t job) {
  return estimator.slot_time(StageId(2 * job)).seconds / 4;
}

TEST(UniformEstimator, DrawsOneFactorAJobAndKeepsItForAllStagesAndTasks) {
  const Workload jobs = many_jobs();
  const auto estimator =
      scaled_estimator(jobs, uniform_factors(jobs.catalogue.jobs.size(), 0.2, 7));
  for (std::uint32_t job = 0; job < 1000; ++job) {
    estimator->job_arrived(JobId(job));
    const double factor = factor_of(*estimator, job);
    EXPECT_NEAR(estimator->slot_time(StageId(2 * job + 1)).seconds, 5 * factor, 1e-9);
    EXPECT_NEAR(estimator->own(TaskId(3 * job + 1)).seconds, 3 * factor, 1e-9);
    EXPECT_NEAR(estimator->own(TaskId(3 * job + 2)).seconds, 5 * factor, 1e-9);
  }
}

TEST(UniformEstimator, FillsTheWholeBandEvenlyAndNeverLeavesIt) {
  const Workload jobs = many_jobs();
  const auto estimator =
      scaled_estimator(jobs, uniform_factors(jobs.catalogue.jobs.size(), 0.2, 7));
  double sum = 0;
  double least = 2;
  double most = 0;
  for (std::uint32_t job = 0; job < 1000; ++job) {
    estimator->job_arrived(JobId(job));
    const double factor = factor_of(*estimator, job);
    sum += factor;
    least = std::min(least, factor);
    most = std::max(most, factor);
  }
  EXPECT_GE(least, 0.8);
  EXPECT_LE(most, 1.2);
  EXPECT_LT(least, 0.81);
  EXPECT_GT(most, 1.19);
  EXPECT_NEAR(sum / 1000, 1, 0.012);
}

TEST(UniformEstimator, IsTheSameForOneSeedAndDifferentForAnother) {
  const Workload jobs = many_jobs();
  const auto a = scaled_estimator(jobs, uniform_factors(jobs.catalogue.jobs.size(), 0.2, 7));
  const auto b = scaled_estimator(jobs, uniform_factors(jobs.catalogue.jobs.size(), 0.2, 7));
  const auto c = scaled_estimator(jobs, uniform_factors(jobs.catalogue.jobs.size(), 0.2, 8));
  int equal = 0;
  for (std::uint32_t job = 0; job < 1000; ++job) {
    a->job_arrived(JobId(job));
    b->job_arrived(JobId(job));
    c->job_arrived(JobId(job));
    EXPECT_EQ(factor_of(*a, job), factor_of(*b, job));
    equal += factor_of(*a, job) == factor_of(*c, job) ? 1 : 0;
  }
  EXPECT_LT(equal, 5);
}

TEST(UniformEstimator, WithoutErrorTellsTheTruth) {
  const Workload jobs = two_stages();
  const auto estimator = scaled_estimator(jobs, uniform_factors(jobs.catalogue.jobs.size(), 0, 7));
  estimator->job_arrived(JobId(0U));
  EXPECT_DOUBLE_EQ(estimator->slot_time(map).seconds, 6);
}

// Jobs of 2, 3 and 1 tasks; between them tasks of 2 s, 4 s and then 9 s finish.
TEST(NaiveEstimator, CountsTasksTimesTheAverageOfAllThatHadFinishedByTheArrival) {
  const Workload jobs = workload()
                            .job("a", {.tasks = {2, 4}})
                            .job("b", {.tasks = {9, 9, 9}})
                            .job("c", {.tasks = {1}})
                            .build();
  const auto estimator = naive_estimator(jobs, 1.5);
  estimator->job_arrived(JobId(0U));
  EXPECT_DOUBLE_EQ(estimator->slot_time(StageId(0U)).seconds, 2 * 1.5)
      << "nothing has finished yet";
  estimator->task_finished(2s);
  estimator->task_finished(4s);
  estimator->job_arrived(JobId(1U));
  EXPECT_DOUBLE_EQ(estimator->slot_time(StageId(1U)).seconds, 3 * 3.0);
  EXPECT_DOUBLE_EQ(estimator->own(TaskId(3U)).seconds, 3);
  estimator->task_finished(9s);
  estimator->job_arrived(JobId(2U));
  EXPECT_DOUBLE_EQ(estimator->slot_time(StageId(2U)).seconds, 5);
  EXPECT_DOUBLE_EQ(estimator->slot_time(StageId(0U)).seconds, 2 * 1.5)
      << "an estimate does not change";
  EXPECT_DOUBLE_EQ(estimator->slot_time(StageId(1U)).seconds, 3 * 3.0)
      << "an estimate does not change";
}

}  // namespace
}  // namespace somnus
