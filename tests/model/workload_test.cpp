#include "model/workload.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <set>

#include "harness/builders.hpp"

namespace somnus {
namespace {

using harness::durations_of;
using harness::workload;
using namespace std::chrono_literals;

TEST(Assemble, NumbersJobsByTimeOfSubmissionAndTiesAsTheyStand) {
  const Workload jobs = workload()
                            .job("late", {.at = 9s, .tasks = {1}})
                            .job("early-1", {.at = 2s, .tasks = {2, 3}})
                            .job("early-2", {.at = 2s, .tasks = {4}})
                            .build();
  EXPECT_EQ(jobs.names.jobs, (std::vector<std::string>{"early-1", "early-2", "late"}));
  EXPECT_EQ(jobs.catalogue[JobId(2U)].submit, start_of_time + 9s);
  EXPECT_EQ(jobs.catalogue[JobId(1U)].first_task, TaskId(2U));
  EXPECT_EQ(jobs.catalogue.tasks, 4U);
  EXPECT_EQ(jobs.truth[TaskId(1U)], 3s);
  EXPECT_EQ(jobs.catalogue.stage_of[3], StageId(2U));
}

TEST(Assemble, KeepsAJobsStagesAndAStagesTasksTogether) {
  const Workload jobs = workload()
                            .job("a")
                            .stage(4, {.tasks = {1, 2}})
                            .stage(7, {.parents = {4}, .tasks = {3}})
                            .job("b", {.tasks = {4, 5}})
                            .build();
  const Catalogue& all = jobs.catalogue;
  ASSERT_EQ(all.stages.size(), 3U);
  EXPECT_EQ(all[JobId(0U)].stages, 2U);
  EXPECT_EQ(all[JobId(0U)].tasks, 3U);
  EXPECT_EQ(all[StageId(1U)].label, 7U);
  EXPECT_EQ(all[StageId(1U)].first_task, TaskId(2U));
  EXPECT_EQ(all[StageId(2U)].job, JobId(1U));
  EXPECT_EQ(durations_of(jobs, StageId(2U)), (std::vector<double>{4, 5}));
}

TEST(Assemble, LinksParentsAndChildrenBothWays) {
  // A diamond, written with the users' own numbers.
  const Workload jobs = workload()
                            .job("other", {.tasks = {1}})
                            .job("diamond")
                            .stage(10, {.tasks = {1}})
                            .stage(20, {.parents = {10}, .tasks = {1}})
                            .stage(30, {.parents = {10}, .tasks = {1}})
                            .stage(40, {.parents = {20, 30}, .tasks = {1}})
                            .build();
  const Catalogue& all = jobs.catalogue;
  const auto ids = [](std::span<const StageId> stages) {
    return std::vector<StageId>(stages.begin(), stages.end());
  };
  using List = std::vector<StageId>;
  EXPECT_EQ(ids(all.parents_of(all[StageId(1U)])), List{});
  EXPECT_EQ(ids(all.children_of(all[StageId(1U)])), (List{StageId(2U), StageId(3U)}));
  EXPECT_EQ(ids(all.parents_of(all[StageId(4U)])), (List{StageId(2U), StageId(3U)}));
  EXPECT_EQ(ids(all.children_of(all[StageId(2U)])), (List{StageId(4U)}));
  EXPECT_EQ(ids(all.children_of(all[StageId(4U)])), List{});
}

TEST(Assemble, KeepsTheNodesThatEachStagePrefersInTheUsersOrder) {
  WorkloadSpec spec;
  spec.jobs.push_back(
      {.job = "late", .submit = 5, .stages = {{.stage = 0, .durations = {1}, .affinity = {9}}}});
  spec.jobs.push_back({.job = "early",
                       .stages = {{.stage = 0, .durations = {1}, .affinity = {7, 3}},
                                  {.stage = 1, .durations = {1}},
                                  {.stage = 2, .work = 4, .affinity = {0}}}});
  const Catalogue all = assemble(spec, 4).catalogue;
  std::vector<std::vector<std::uint32_t>> preferred;
  for (const Stage& stage : all.stages) {
    auto& nodes = preferred.emplace_back();
    for (const NodeId node : all.affinity_of(stage)) nodes.push_back(node.value());
  }
  EXPECT_EQ(preferred, (std::vector<std::vector<std::uint32_t>>{{7, 3}, {}, {0}, {9}}));
}

TEST(Assemble, GivesEachJobAnAppOfItsOwnUnlessItNamesOne) {
  const Workload jobs = workload()
                            .job("a", {.tasks = {1}})
                            .job("b", {.tasks = {1}})
                            .job("c", {.app = "shared", .tasks = {1}})
                            .job("d", {.app = "shared", .tasks = {1}})
                            .build();
  const auto app = [&](std::uint32_t job) { return jobs.catalogue[JobId(job)].app; };
  EXPECT_NE(app(0), app(1));
  EXPECT_EQ(app(2), app(3));
  EXPECT_NE(app(0), app(2));
  EXPECT_EQ(jobs.catalogue.apps, 3U);
}

TEST(Assemble, CutsADivisibleStageIntoAsManyTasksAsThereAreSlots) {
  const Workload jobs = workload().job("j").stage(0, {.work = 72}).build(4);
  EXPECT_EQ(durations_of(jobs, StageId(0U)), (std::vector<double>{18, 18, 18, 18}));
}

TEST(Digest, ChangesWithAnythingThatTheWorkloadSays) {
  const auto base = [] {
    auto jobs = workload();
    jobs.resources({"cpu", "mem_gb"})
        .job("a")
        .stage(0, {.tasks = {1, 2}, .demand = {1, 2}})
        .stage(1, {.parents = {0}, .tasks = {3}})
        .job("b", {.at = 1s, .tasks = {4}});
    return jobs.spec();
  };
  using Change = std::function<void(WorkloadSpec&)>;
  const std::vector<std::pair<const char*, Change>> changes{
      {"resource names", [](WorkloadSpec& it) { it.resources[1] = "disk"; }},
      {"job name", [](WorkloadSpec& it) { it.jobs[0].job = "c"; }},
      {"user", [](WorkloadSpec& it) { it.jobs[0].user = "ann"; }},
      {"queue", [](WorkloadSpec& it) { it.jobs[0].queue = "A"; }},
      {"app", [](WorkloadSpec& it) { it.jobs[0].app = "tpch"; }},
      {"submit", [](WorkloadSpec& it) { it.jobs[1].submit = 1.000000001; }},
      {"weight", [](WorkloadSpec& it) { it.jobs[0].weight = 1.0000001; }},
      {"warmup", [](WorkloadSpec& it) { it.jobs[0].warmup = 2; }},
      {"curve", [](WorkloadSpec& it) { it.jobs[0].curve = {0, 0, 1, 0}; }},
      {"label", [](WorkloadSpec& it) { it.jobs[1].stages[0].stage = 5; }},
      {"parents", [](WorkloadSpec& it) { it.jobs[0].stages[1].parents = {}; }},
      {"a duration", [](WorkloadSpec& it) { it.jobs[0].stages[0].durations[1] = 2.000000001; }},
      {"fresh", [](WorkloadSpec& it) { it.jobs[1].stages[0].fresh = {5}; }},
      {"first", [](WorkloadSpec& it) { it.jobs[1].stages[0].first = {5}; }},
      {"one task more", [](WorkloadSpec& it) { it.jobs[0].stages[0].durations.push_back(1); }},
      {"demand", [](WorkloadSpec& it) { it.jobs[0].stages[0].demand[1] = 2.000001; }},
      {"affinity", [](WorkloadSpec& it) { it.jobs[0].stages[0].affinity = {3}; }},
      {"a task's stage",
       [](WorkloadSpec& it) {
         it.jobs[0].stages[0].durations = {1};
         it.jobs[0].stages[1].durations = {2, 3};
       }},
      {"a job fewer", [](WorkloadSpec& it) { it.jobs.pop_back(); }},
  };
  const std::string digest = assemble(base(), 4).digest;
  EXPECT_EQ(digest.size(), 16U);
  EXPECT_EQ(assemble(base(), 4).digest, digest);
  for (const auto& [what, change] : changes) {
    WorkloadSpec changed = base();
    change(changed);
    EXPECT_NE(assemble(changed, 4).digest, digest) << what;
  }
}

TEST(Truth, HasWhatWasMeasuredAndElseTheNextWarmer) {
  const Workload jobs = workload()
                            .job("a", {.tasks = {1, 2}})
                            .job("b", {.warmup = 3})
                            .stage(0, {.tasks = {1}, .first = {2}})
                            .job("c")
                            .stage(0, {.tasks = {1, 1}, .fresh = {5, 6}})
                            .build();
  const auto times = [&](std::uint32_t job, std::uint32_t task) {
    const TaskTimes all = jobs.truth.times(JobId(job), TaskId(task));
    return std::tuple(in_seconds(all.nominal), in_seconds(all.first), in_seconds(all.fresh),
                      all.warmup);
  };
  EXPECT_EQ(times(0, 1), std::tuple(2, 2, 2, 0));
  EXPECT_EQ(times(1, 2), std::tuple(1, 2, 2, 3));
  EXPECT_EQ(times(2, 4), std::tuple(1, 1, 6, 0));
  EXPECT_TRUE(workload().job("a", {.tasks = {1}}).build().truth.cold.empty());
}

TEST(Digest, TellsWhichStagePrefersWhichNodesInWhichOrder) {
  using Nodes = std::vector<std::uint32_t>;
  const auto digest = [](const Nodes& first, const Nodes& second) {
    WorkloadSpec spec;
    for (const Nodes& nodes : {first, second}) {
      spec.jobs.push_back({.job = std::to_string(spec.jobs.size()),
                           .stages = {{.durations = {1}, .affinity = nodes}}});
    }
    return assemble(spec, 4).digest;
  };
  const std::set<std::string> digests = {digest({}, {}),     digest({1}, {}),     digest({}, {1}),
                                         digest({1, 2}, {}), digest({2, 1}, {}),  digest({1}, {2}),
                                         digest({12}, {}),   digest({1}, {1, 2}), digest({2}, {1})};
  EXPECT_EQ(digests.size(), 9U);
}

}  // namespace
}  // namespace somnus
