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

TEST(JobQueue, ServesTheEarliestOrTheLeastWorkOrTheFewestTasks) {
  const World earliest = simulate(three_jobs(), cluster(1), {.order = "job-queue"});
  expect_finish(earliest, {{"earliest", 7}, {"fewest", 12}, {"least", 16}});
  const World work = simulate(three_jobs(), cluster(1), by("srjf"));
  expect_finish(work, {{"least", 5}, {"fewest", 10}, {"earliest", 16}});
  const World tasks = simulate(three_jobs(), cluster(1), by("lrtf"));
  expect_finish(tasks, {{"fewest", 6}, {"least", 10}, {"earliest", 16}});
}

/// A job of 5 s arrives at 0.5 s, and after it each second another job of 1 s.
WorkloadBuilder a_long_job_among_short_ones() {
  auto jobs = workload().job("before", {.tasks = {1}}).job("long", {.at = 500ms, .tasks = {5}});
  for (int at = 0; at < 9; ++at) {
    jobs.job(fmt::format("short{}", at), {.at = 1s * at + 900ms, .tasks = {1}});
  }
  return jobs;
}

TEST(JobQueue, AJobIsStarvedAtItsThresholdNotOnlyBeyondIt) {
  const World world =
      simulate(a_long_job_among_short_ones(), cluster(1), by("sjf", {{"starvation_s", 3.5}}));
  EXPECT_EQ(world.served_at(4s), (Served{"long"}));
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
