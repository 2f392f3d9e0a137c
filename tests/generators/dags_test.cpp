#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "formats/formats.hpp"
#include "generators/dag_measures.hpp"
#include "generators/generated.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

// Stages 0, 1, ... with these parents.
JobSpec dag(std::vector<std::vector<std::uint32_t>> parents) {
  JobSpec job;
  for (std::uint32_t stage = 0; stage < parents.size(); ++stage) {
    job.stages.push_back({.stage = stage, .parents = parents[stage], .durations = {1}});
  }
  return job;
}

std::string measured(const JobSpec& job) {
  const DagMeasures of(job);
  return fmt::format("{} stages, {} barriers, length {}, {} paths", of.stages(), of.barriers(),
                     of.length(), of.disjoint_paths());
}

std::string tables_of(const WorkloadSpec& workload) {
  return fmt::format(
      "stages {}, barriers {}, length {}, paths {}", percentiles(workload, &DagMeasures::stages),
      percentiles(workload, &DagMeasures::barriers), percentiles(workload, &DagMeasures::length),
      percentiles(workload, &DagMeasures::disjoint_paths));
}

TEST(DagMeasures, AreThoseOfSmallDagsCountedByHand) {
  EXPECT_EQ(measured(dag({{}})), "1 stages, 0 barriers, length 1, 1 paths");
  EXPECT_EQ(measured(dag({{}, {0}, {1}})), "3 stages, 0 barriers, length 3, 1 paths");
  EXPECT_EQ(measured(dag({{}, {0}, {0}, {1, 2}})), "4 stages, 1 barriers, length 3, 2 paths");
  EXPECT_EQ(measured(dag({{}, {0}, {0}, {1, 2}, {3}, {3}, {4, 5}})),
            "7 stages, 2 barriers, length 5, 2 paths");
  EXPECT_EQ(measured(dag({{}, {}, {0, 1}, {}, {2, 3}})), "5 stages, 2 barriers, length 3, 3 paths");
  EXPECT_EQ(measured(dag({{}, {}, {}})), "3 stages, 0 barriers, length 1, 3 paths");
}

// 0 -> 2, 0 -> 3, 1 -> 3: a chain 0 -> 3 would leave 1 and 2 alone.
TEST(DagMeasures, PutAStageIntoAnotherChainWhereThatSavesOne) {
  EXPECT_EQ(DagMeasures(dag({{}, {}, {0}, {0, 1}})).disjoint_paths(), 2U);
  EXPECT_EQ(DagMeasures(dag({{}, {}, {0, 1}, {2}, {2}})).disjoint_paths(), 2U)
      << "one chain passes over stage 2";
}

// What the paper's tables say of TPC-H, but for few of its 17 queries: 8/12, 2/4, 5/7, 3/7.
TEST(DagMeasures, AreNearTheTablesForTheQueriesOfCarbynesSimulator) {
  SOMNUS_TRACE_OR_SKIP(path, "carbyne_dags/queries_tpch.txt.gz");
  EXPECT_EQ(tables_of(value_or_throw(read_workload(path))),
            "stages 8/14, barriers 2/4, length 5/8, paths 3/6");
}

constexpr std::array all_tables = {"ms", "tpc-ds", "tpc-h", "bigbench"};

TEST(Dags, HaveThePercentilesOfTheTables) {
  const std::map<std::string, std::string> tables = {
      {"ms", "stages 13/121, barriers 4/13, length 7/17, paths 6/34"},
      {"tpc-ds", "stages 8/23, barriers 1/4, length 5/8, paths 4/15"},
      // The table says 12 stages, with which no DAG of length 7 has 7 paths.
      {"tpc-h", "stages 8/13, barriers 2/4, length 5/7, paths 3/7"},
      {"bigbench", "stages 7/19, barriers 2/6, length 5/8, paths 2/10"}};
  for (const char* const like : all_tables) {
    const auto workload = made("dags", {{"jobs", 2000}, {"like", like}, {"max_tasks", 1}});
    EXPECT_EQ(tables_of(workload), tables.at(like)) << like;
  }
}

TEST(Dags, HaveThePercentilesOfTheTablesInAFewJobsToo) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto workload = made("dags", {{"like", "tpc-ds"}}, seed);
    EXPECT_EQ(workload.jobs.size(), 250U);
    EXPECT_EQ(tables_of(workload), "stages 8/23, barriers 1/4, length 5/8, paths 4/15");
  }
}

TEST(Dags, EndInOneStageAndHaveAPathFromEachSource) {
  for (const char* const like : all_tables) {
    for (const JobSpec& job : made("dags", {{"like", like}, {"max_tasks", 1}}).jobs) {
      const DagMeasures of(job);
      EXPECT_EQ(of.sinks(), 1U) << like << " job " << job.job;
      EXPECT_EQ(of.disjoint_paths(), of.sources()) << like << " job " << job.job;
    }
  }
}

TEST(Dags, VaryInShape) {
  std::set<std::string> shapes;
  for (const JobSpec& job : made("dags", {{"jobs", 1000}, {"max_tasks", 1}}).jobs) {
    std::string shape;
    for (const StageSpec& stage : job.stages) {
      shape += fmt::format("[{}]", fmt::join(stage.parents, ","));
    }
    shapes.insert(shape);
  }
  EXPECT_GT(shapes.size(), 300U);
}

TEST(Dags, DrawTasksDurationsAndDemandsWithinTheirLimits) {
  double most_tasks_of_a_stage = 0;
  double longest_s = 0;
  for (const JobSpec& job : made("dags", {{"max_tasks", 40}, {"max_task_s", 30}}).jobs) {
    for (const StageSpec& stage : job.stages) {
      const auto& durations = stage.durations;
      ASSERT_GE(durations.size(), 1U);
      most_tasks_of_a_stage =
          std::max(most_tasks_of_a_stage, static_cast<double>(durations.size()));
      EXPECT_EQ(durations, std::vector<double>(durations.size(), durations[0]));
      EXPECT_GE(durations[0], 1);
      longest_s = std::max(longest_s, durations[0]);
      ASSERT_EQ(stage.demand.size(), 6U);
      for (std::size_t kind = 0; kind < 6; ++kind) {
        EXPECT_GE(stage.demand[kind], kind < 2 ? 0.1 : 0.001);
        EXPECT_LE(stage.demand[kind], 0.3);
      }
    }
  }
  EXPECT_EQ(most_tasks_of_a_stage, 40);
  EXPECT_NEAR(longest_s, 30, 1);
}

// A change here changes every published workload that is known by its seed.
TEST(Dags, MakeTheSameFileOnEveryMachine) {
  EXPECT_EQ(
      native_text(made("dags", {{"jobs", 1}, {"like", "bigbench"}, {"max_tasks", 3}}, 8)),
      R"({"somnus_workload": 1, "name": "dags like bigbench", "resources": ["cpu", "mem", "io1", "io2", "io3", "io4"]}
{"job": "0", "submit": 89.936, "stages": [{"stage": 0, "tasks": 3, "duration": 24.736, "demand": {"cpu": 0.196453, "mem": 0.278398, "io1": 0.043796, "io2": 0.024947, "io3": 0.13971, "io4": 0.120929}}, {"stage": 1, "parents": [0], "durations": [2.38], "demand": {"cpu": 0.150508, "mem": 0.184568, "io1": 0.287575, "io2": 0.003103, "io3": 0.018474, "io4": 0.005942}}, {"stage": 2, "parents": [1], "durations": [8.077], "demand": {"cpu": 0.267422, "mem": 0.283699, "io1": 0.250578, "io2": 0.002634, "io3": 0.002115, "io4": 0.001595}}, {"stage": 3, "durations": [12.165], "demand": {"cpu": 0.176486, "mem": 0.176372, "io1": 0.125307, "io2": 0.001674, "io3": 0.011207, "io4": 0.157081}}, {"stage": 4, "parents": [3], "tasks": 2, "duration": 66.758, "demand": {"cpu": 0.150413, "mem": 0.155603, "io1": 0.217801, "io2": 0.002671, "io3": 0.003182, "io4": 0.053073}}, {"stage": 5, "parents": [4], "tasks": 3, "duration": 87.612, "demand": {"cpu": 0.230234, "mem": 0.253331, "io1": 0.22831, "io2": 0.005655, "io3": 0.050152, "io4": 0.001663}}, {"stage": 6, "parents": [2, 5], "tasks": 2, "duration": 14.871, "demand": {"cpu": 0.280786, "mem": 0.246019, "io1": 0.062985, "io2": 0.023146, "io3": 0.096623, "io4": 0.14758}}]}
)");
}

TEST(Dags, NameParametersThatMakeTooManyTasks) {
  EXPECT_EQ(mistakes_of("dags", {{"jobs", 10000}, {"max_tasks", 100000}}),
            "c.toml:7:3: jobs: expected parameters for at most 100000000 tasks, found some for "
            "about 867042122");
}

TEST(DagArrivals, AreIndependentByDefault) {
  const auto all = waits(made("dags", {{"jobs", 4000}, {"max_tasks", 1}}));
  EXPECT_NEAR(moments(all).mean, 20, 4 * 20 / std::sqrt(4000));
  const auto longer = std::ranges::count_if(all, [](double wait) { return wait > 20; });
  EXPECT_NEAR(static_cast<double>(longer), 4000 / std::numbers::e,
              4 * std::sqrt(4000 * 0.37 * 0.63));
}

TEST(DagArrivals, AreWholeSecondsOfANormalDrawOnRequest) {
  const auto all =
      waits(made("dags", {{"jobs", 4000}, {"arrivals", "ceil-normal"}, {"max_tasks", 1}}));
  for (const double wait : all) {
    EXPECT_EQ(wait, std::round(wait));
    EXPECT_GE(wait, 2);
  }
  EXPECT_NEAR(moments(all).mean, 20.5, 4 * 5 / std::sqrt(4000));
  const auto above = std::ranges::count_if(all, [](double wait) { return wait > 25; });
  EXPECT_NEAR(static_cast<double>(above), 4000 * 0.1587, 4 * std::sqrt(4000 * 0.1587 * 0.8413));
}

TEST(DagArrivals, AreAllAtZeroOnRequest) {
  for (const double wait : waits(made("dags", {{"arrivals", "at-once"}}))) EXPECT_EQ(wait, 0);
}

}  // namespace
}  // namespace somnus::test
