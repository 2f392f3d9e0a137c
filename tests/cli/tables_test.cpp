#include "session/tables.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "config/config.hpp"
#include "log/log_tables.hpp"

namespace somnus {
namespace {

/// Two jobs of 4 s on one slot; the second comes at 0 s, or follows the first.
LogTables tables_of(const std::string& after, Settings& settings) {
  settings = value_or_throw(
      parse_settings("[cluster]\nnodes = 1\nslots_per_node = 1\n[scheduler]\npolicy = \"fifo\"\n"
                     "[workload]\nfile = \"two.jsonl\"\n",
                     "test.toml", {}));
  WorkloadSpec spec{.name = "two"};
  spec.jobs.push_back({.job = "a", .stages = {{.durations = {4}}}});
  spec.jobs.push_back({.job = "b", .after = after, .stages = {{.durations = {4}}}});
  return initial_tables(settings, assemble(spec, 1), 0);
}

TEST(Tables, SayBeforeTheRunWhenJobsEndInTheFluids) {
  Settings settings;
  const LogTables tables = tables_of("", settings);
  EXPECT_EQ(tables.jobs[0].gps_finish, 8);
  EXPECT_EQ(tables.jobs[0].ujf_finish, 8);
}

// A log that ends early keeps them.
TEST(Tables, SayNothingOfTheFluidsWhileAFollowerMayStillCome) {
  Settings settings;
  const LogTables tables = tables_of("a", settings);
  for (const JobRow& job : tables.jobs) {
    EXPECT_TRUE(std::isnan(job.gps_finish)) << job.job;
    EXPECT_TRUE(std::isnan(job.ujf_finish)) << job.job;
  }
}

TEST(Tables, GiveBackTheNodesThatEachStagePrefers) {
  Settings settings;
  static_cast<void>(tables_of("", settings));
  settings.cluster.groups[0].count = 8;
  WorkloadSpec spec{.name = "data"};
  spec.jobs.push_back({.job = "a",
                       .stages = {{.stage = 0, .durations = {1}},
                                  {.stage = 1, .durations = {1}, .affinity = {7, 3}}}});
  spec.jobs.push_back({.job = "b", .stages = {{.durations = {1}, .affinity = {0}}}});
  const Workload workload = assemble(spec, 8);
  Log log;
  log.tables = initial_tables(settings, workload, 0);
  EXPECT_EQ(table_error(log), "");
  const Catalogue again = catalogue_of(log);
  EXPECT_EQ(again.affinity, (std::vector{NodeId(7U), NodeId(3U), NodeId(0U)}));
  ASSERT_EQ(again.stages.size(), 3U);
  for (std::size_t at = 0; at < again.stages.size(); ++at) {
    const Stage& before = workload.catalogue.stages[at];
    EXPECT_EQ(again.stages[at].first_affinity, before.first_affinity) << at;
    EXPECT_EQ(again.stages[at].affinity, before.affinity) << at;
  }
}

TEST(Tables, HaveTheFluidsWithTheFollowersThatCame) {
  Settings settings;
  LogTables tables = tables_of("a", settings);
  tables.jobs[1].submit = 2;
  run_fluids_of_followers(settings.cluster, tables);
  EXPECT_EQ(tables.jobs[0].gps_finish, 6);
  EXPECT_EQ(tables.jobs[1].gps_finish, 8);
  EXPECT_EQ(tables.jobs[0].ujf_finish, 6);
  EXPECT_EQ(tables.jobs[1].ujf_finish, 8);
}

/// What is said of two jobs' tables after a forger was there.
std::string fault_after(void (*forge)(Log&)) {
  Settings settings;
  Log log;
  log.tables = tables_of("", settings);
  EXPECT_EQ(table_error(log), "");
  forge(log);
  return table_error(log);
}

TEST(Tables, WithNumbersThatNoRunHasAreKnownByTableAndRow) {
  EXPECT_EQ(fault_after([](Log& log) { log.tables.jobs[1].weight = -1; }),
            "/jobs row 1: weight -1, which no run has");
  EXPECT_EQ(fault_after([](Log& log) { log.tables.jobs[0].submit = 1e300; }),
            "/jobs row 0: submit 1e+300, which no run has");
  EXPECT_EQ(fault_after([](Log& log) { log.tables.jobs[0].think = NAN; }),
            "/jobs row 0: think nan s");
  EXPECT_EQ(fault_after([](Log& log) { log.tables.nodes[0].slowdown = NAN; }),
            "/nodes row 0: slowdown nan, which no run has");
  EXPECT_EQ(fault_after([](Log& log) { log.tables.stages[1].tasks = 0; }),
            "/stages row 1: no task");
  EXPECT_EQ(fault_after([](Log& log) {
              log.tables.stages[1].tasks = log.tables.jobs[1].tasks = 4'000'000'000;
            }),
            "/stages row 1: more than 100000000 tasks");
  EXPECT_EQ(fault_after([](Log& log) { log.tasks.push_back({.nominal = 1e9}); }),
            "/tasks row 0: nominal 1000000000, which no run has");
  EXPECT_EQ(fault_after([](Log& log) { log.tables.jobs[1].queue = 4'294'967'295; }),
            "/jobs row 1: no queue 4294967295");
  EXPECT_EQ(fault_after([](Log& log) { log.header.speed = INFINITY; }),
            "root attribute speed is inf, expected above 0 and at most 1000000000");
  EXPECT_EQ(fault_after([](Log& log) { log.header.resources = {"cpu"}; }),
            "/stage_demands has 0 rows for 2 stages");
}

}  // namespace
}  // namespace somnus
