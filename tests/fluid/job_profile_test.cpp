#include "fluid/job_profile.hpp"

#include <gtest/gtest.h>

#include "harness/builders.hpp"

namespace somnus::harness {
namespace {

JobProfile profile(const WorkloadBuilder& jobs, const Warmup& warmup = {}) {
  const Workload work = jobs.build();
  return profile_of(work.catalogue, work.truth, JobId(0U), warmup).value();
}

std::vector<std::pair<std::uint32_t, double>> times_of(const JobProfile& profile) {
  std::vector<std::pair<std::uint32_t, double>> times;
  for (const TimeOnSlots& time : profile.times) times.emplace_back(time.slots, time.seconds);
  return times;
}

TEST(JobProfile, HasTheTimesOfListSchedulingOnEachNumberOfSlots) {
  const JobProfile found = profile(workload().job("a", {.tasks = {5, 1, 1, 1, 2}}));
  EXPECT_EQ(times_of(found),
            (std::vector<std::pair<std::uint32_t, double>>{{1, 10}, {2, 5}, {4, 5}, {5, 5}}));
}

TEST(JobProfile, GoesUpToTheWidestStage) {
  const JobProfile found = profile(workload()
                                       .job("a")
                                       .stage(0, {.tasks = {4, 4}})
                                       .stage(1, {.parents = {0}, .tasks = {1, 1, 1}}));
  EXPECT_EQ(times_of(found),
            (std::vector<std::pair<std::uint32_t, double>>{{1, 11}, {2, 6}, {3, 5}}));
}

// Alone on one slot only the first task is cold; on as many as tasks all are.
TEST(JobProfile, ShowsWhatWarmSlotsAreWorth) {
  const auto jobs = workload().job("a", {.tasks = {1, 1, 1, 1}});
  EXPECT_EQ(times_of(profile(jobs, reuse_warmup(3))),
            (std::vector<std::pair<std::uint32_t, double>>{{1, 6}, {2, 4}, {4, 3}}));
  EXPECT_GT(ernest_progress(profile(jobs, reuse_warmup(3)).curve, 1),
            ernest_progress(profile(jobs).curve, 1));
}

TEST(JobProfile, FitsWorkInManyEqualTasksClosely) {
  const JobProfile found = profile(workload().job("a", {.tasks = alike(256, 2)}));
  EXPECT_LT(found.error, 1e-6);
  EXPECT_NEAR(ernest_progress(found.curve, 100), 100.0 / 256, 1e-6);
}

TEST(JobProfile, SaysByHowMuchItMisses) {
  const JobProfile found = profile(workload().job("a", {.tasks = alike(5, 1)}));
  EXPECT_GT(found.error, 0.05);  // 1, 2, 4 and 5 slots take 5, 3, 2 and 1 s
}

TEST(JobProfile, IsNoneOfAJobThatTakesNoTime) {
  const Workload work = workload().job("a", {.tasks = {0, 0}}).build();
  EXPECT_FALSE(profile_of(work.catalogue, work.truth, JobId(0U), Warmup()).has_value());
}

}  // namespace
}  // namespace somnus::harness
