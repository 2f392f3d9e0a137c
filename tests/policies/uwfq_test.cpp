// UWFQ worked out by hand: completions, late stages and grace, weights, and the input on
// which the chain as published breaks the paper's bound.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fluid/two_level.hpp"
#include "harness/world.hpp"
#include "policies/example_u2.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

// D: A2 = 4 and A1 = 12 at 0 s; B1 = 10 at 1 s; B2 = 5 and B1 = 11 at 3 s; C1 = 16.
TEST(Uwfq, ServesStagesInOrderOfTheGlobalDeadlinesOfTheirJobs) {
  const World world = simulate(example_u2(), cluster(4), {.order = "uwfq"});
  expect_u2(world, 5, 1, 3, 4);
  EXPECT_EQ(world.served_at(0s), (Served{"A2", "A2", "A2", "A2"}));
  EXPECT_EQ(world.served_at(1s), (Served{"B1", "B1", "B1", "B1"}));
  EXPECT_EQ(world.served_at(2s), (Served{"B1", "B1", "A1", "A1"}));
  EXPECT_EQ(world.served_at(3s), (Served{"B2", "A1", "A1", "A1"}));
}

// The honest deadlines differ, their order does not: at 3 s B2 = 9, B1 = 11, A1 = 12.
TEST(Uwfq, WithTheExactChainServesTheExampleInTheSameOrder) {
  const World world =
      simulate(example_u2(), cluster(4), {.order = "uwfq", .of_order = {{"chain", "exact2lv"}}});
  expect_u2(world, 5, 1, 3, 4);
}

// A (weight 1) and B (weight 3) from 0 s on one slot. In the weighted fluid V grows by 1/4 a
// second, in the paper's by 1/2. At 2 s user C comes with 2 slot-seconds: D = 0.5 + 2 or 1 + 2.
// A's job has D = 2.75, B's 6 / 3.
TEST(Uwfq, WeightsMoveTheFluidOrOnlyTheChain) {
  auto jobs = workload();
  jobs.user_weight("B", 3)
      .job("a", {.user = "A", .tasks = {2.75}})
      .job("b", {.user = "B", .tasks = {6}})
      .job("c", {.at = 2s, .user = "C", .tasks = {2}});
  const auto finish_of_c = [&](const char* mode) {
    return simulate(jobs, cluster(1), {.order = "uwfq", .of_order = {{"weight_mode", mode}}})
        .finish_of("c");
  };
  EXPECT_DOUBLE_EQ(finish_of_c("weighted-fluid"), 8);
  EXPECT_DOUBLE_EQ(finish_of_c("paper-scalar"), 10.75);
}

TEST(Uwfq, BelievesTheEstimateNotTheTruth) {
  // The naive estimator knows no finished task: one second a task, so D = 2 and D = 1.
  const auto jobs = workload()
                        .job("short", {.user = "A", .tasks = {0.5, 0.5}})
                        .job("long", {.user = "B", .tasks = {30}});
  const World world =
      simulate(jobs, cluster(1), {.order = "uwfq", .estimator = [](const Workload& all) {
                                    return naive_estimator(all, 1.0);
                                  }});
  EXPECT_DOUBLE_EQ(world.finish_of("long"), 30);
}

// Eight slots. The chain a of user A (L = 2) has left the fluid at 0.5 s with V = 2 = D_a, while
// its second stage becomes runnable at 1 s only, just when its slot is the only one that is free:
// user C's tasks hold the others until 1.5 s.
WorkloadBuilder late_chain() {
  return workload()
      .job("a", {.user = "A"})
      .stage(0, {.tasks = {1}})
      .stage(1, {.parents = {0}, .tasks = {1}})
      .job("c", {.user = "C", .tasks = alike(30, 1.5)});
}

std::string served_late(const WorkloadBuilder& jobs, const Parameters& parameters) {
  const World world = simulate(jobs, cluster(8), {.order = "uwfq", .of_order = parameters});
  const Served served = world.served_at(1s);
  return served.size() == 1 ? served[0] : fmt::format("{} tasks", served.size());
}

// B's job comes at 0.9 s with V = 2 + 8 * 0.4 = 5.2 and gets D = 6.2. At 1 s V = 5.6: A left
// 3.6 slot-seconds of V ago, 0.45 s on eight slots. Beyond the grace D_a is 5.6 + 2.
TEST(UwfqLateStages, KeepTheDeadlineOfTheirJobWithinTheGraceAndCountAsNewBeyond) {
  auto jobs = late_chain();
  jobs.job("b", {.at = 900ms, .user = "B", .tasks = {1}});
  EXPECT_EQ(served_late(jobs, {}), "a") << "the default is 2 s";
  EXPECT_EQ(served_late(jobs, {{"grace_s", 0.46}}), "a");
  EXPECT_EQ(served_late(jobs, {{"grace_s", 0.44}}), "b");
  EXPECT_EQ(served_late(jobs, {{"grace_s", 0.0}}), "b");
  EXPECT_EQ(served_late(jobs, {{"grace_s", 0.0}, {"late_stage", "zero"}}), "a");
}

// On one slot, in tasks of 0.05 s: user A's jobs are ever shorter and come when the earlier ones
// are nearly served; B has one job of 10.1 slot-seconds at 0 s.
struct Nested {
  double at;
  double slot_time;
};
std::vector<Nested> nested_jobs_of_a() {
  std::vector<Nested> jobs{{0, 10}, {9, 5.3}, {13.3, 2.8}, {15.4, 0.7}};
  for (int n = 0; n < 10; ++n) jobs.push_back({16.6 + 1.4 * n, 1});
  return jobs;
}

WorkloadBuilder nested_shrinking_jobs() {
  const auto tasks_of = [](double slot_time) {
    return std::vector<double>(static_cast<std::size_t>(slot_time / 0.05 + 0.5), 0.05);
  };
  auto jobs = workload();
  jobs.job("b", {.user = "B", .tasks = tasks_of(10.1)});
  int number = 0;
  for (const Nested& each : nested_jobs_of_a()) {
    jobs.job(fmt::format("a{}", ++number),
             {.at = seconds(each.at), .user = "A", .tasks = tasks_of(each.slot_time)});
  }
  return jobs;
}

double ujf_end_of_b() {
  std::vector<UserJob> jobs{{.user = 1, .submit = 0, .slot_time = 10.1}};
  for (const Nested& each : nested_jobs_of_a()) {
    jobs.push_back({.user = 0, .submit = each.at, .slot_time = each.slot_time});
  }
  return user_fluid_ends(1, jobs, std::vector<double>{1, 1}).ujf[0];
}

constexpr double bound = 2 * 0.05 + 10.1;  // 2 l_max + L_max / R

// Each shorter job gets a deadline counted from where A's chain began, long after that much of the
// chain has really been served; so B's job, of deadline 10.1 on arrival, waits for all of them.
TEST(UwfqBound, TheChainAsPublishedBreaksItWithNestedShrinkingJobs) {
  EXPECT_NEAR(ujf_end_of_b(), 20.2, 1e-9);
  const World world = simulate(nested_shrinking_jobs(), cluster(1), {.order = "uwfq"});
  EXPECT_NEAR(world.finish_of("b"), 36.1, 0.051);
  const double late = world.finish_of("b") - ujf_end_of_b();
  EXPECT_NEAR(late / bound, 1.56, 0.01);
}

// Each of n users has the deadline 10 and V grows by 1 / n a second. Whenever user A's latest job
// is nearly served, its next one is as long as still gets a deadline before 10. 2-LV keeps A to its
// share; the slot serves one after the other, for nearly 10 n seconds, then the other users: the
// last is late by nearly n - 1 of their jobs.
TEST(UwfqBound, NeitherChainKeepsItWithSeveralOtherUsers) {
  constexpr int users = 4;
  constexpr double task = 0.05;
  std::vector<UserJob> jobs;
  for (std::uint32_t other = 1; other < users; ++other) jobs.push_back({other, 0, 10});
  double now = 0;
  for (double size = 9.95; size > 0.3;) {
    jobs.push_back({0, now, size});
    now += size - task;
    const double margin = task * static_cast<double>(jobs.size());
    size = std::floor((10 - now / users - margin) / task) * task;
  }
  auto world_jobs = workload();
  for (const UserJob& job : jobs) {
    world_jobs.job(
        fmt::format("j{}", world_jobs.spec().jobs.size()),
        {.at = seconds(job.submit),
         .user = fmt::format("u{}", job.user),
         .tasks = std::vector<double>(static_cast<std::size_t>(job.slot_time / task + 0.5), task)});
  }
  const auto ends = user_fluid_ends(1, jobs, std::vector<double>(users, 1.0)).ujf;
  for (const char* chain : {"paper", "exact2lv"}) {
    const World world =
        simulate(world_jobs, cluster(1), {.order = "uwfq", .of_order = {{"chain", chain}}});
    double late = 0;
    for (std::size_t at = 0; at < ends.size(); ++at) {
      late = std::max(late, in_seconds(world.finish[at]) - ends[at]);
    }
    EXPECT_GT(late, 2 * (2 * task + 10)) << chain;
    EXPECT_LT(late, (users - 1) * 10) << chain;
  }
}

}  // namespace
}  // namespace somnus::harness
