#include "emulator/tables.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "config/config.hpp"

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

}  // namespace
}  // namespace somnus
