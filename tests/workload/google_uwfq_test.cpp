#include <cstdio>
#include <map>
#include <numeric>

#include "support.hpp"
#include "workload/importers.hpp"

namespace somnus::test {
namespace {

constexpr std::string_view header =
    "workflow_id,ts_submit,ts_submit_seconds,task_count,total_resources,task_id,runtime,"
    "resource_amount_requested,resource_run_time,user_id\n";

Checked<WorkloadSpec> parse(std::string_view rows, const GoogleUwfqOptions& options = {}) {
  return parse_google_uwfq(text_file("g.csv", std::string(header) + std::string(rows)), options);
}

double slot_time(const JobSpec& job) {
  const auto& durations = job.stages.at(0).durations;
  return std::accumulate(durations.begin(), durations.end(), 0.0);
}

double slot_time(const WorkloadSpec& workload) {
  return std::accumulate(workload.jobs.begin(), workload.jobs.end(), 0.0,
                         [](double sum, const JobSpec& job) { return sum + slot_time(job); });
}

TEST(GoogleUwfq, GathersRowsIntoJobsInOrderOfSubmit) {
  const auto workload =
      value_or_throw(parse("7,2500,2.5,2,1,0,1000,0.5,500,-12\n"
                           "6,1000,1,1,1,0,8000,0.25,2000,34\r\n"
                           "7,2500,2.5,2,1,1,2000,0.5,1000,-12\n"));
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[0].job, "6");
  EXPECT_EQ(workload.jobs[0].user, "34");
  EXPECT_EQ(workload.jobs[0].submit, 0);
  EXPECT_EQ(workload.jobs[0].stages[0].durations, std::vector{40.0});
  EXPECT_EQ(workload.jobs[1].submit, 1.5);
  EXPECT_EQ(workload.jobs[1].stages[0].durations, (std::vector{10.0, 20.0}));
}

TEST(GoogleUwfq, LeavesOutJobsFromTheGivenMultipleOfTheMedianOn) {
  constexpr std::string_view rows =
      "1,0,0,1,1,0,1000,1,1,u\n2,0,0,1,1,0,1000,1,1,u\n3,0,0,1,1,0,5000,1,1,u\n";
  EXPECT_EQ(value_or_throw(parse(rows)).jobs.size(), 2U);
  EXPECT_EQ(value_or_throw(parse(rows, {.filter = 5.1})).jobs.size(), 3U);
  EXPECT_EQ(value_or_throw(parse(rows, {.filter = 0})).jobs.size(), 3U);
}

TEST(GoogleUwfq, NamesEveryMistakeAtItsPlace) {
  EXPECT_EQ(mistakes_in(parse("1,0,0,1,1,0,1000,1,1,u\n"
                              "1,5,0,1,1,0,1000,1,1,v\n"
                              "2,x,0,1,1,0,-1,,1,\n"
                              "3,0\n"
                              "4,0,0,1,1,0,1e12,1,1,u\n")),
            "g.csv:3:3: ts_submit: expected the same as for workflow 1 in line 2, found '5'\n"
            "g.csv:3:22: user_id: expected the same as for workflow 1 in line 2, found 'v'\n"
            "g.csv:4:3: ts_submit: expected a whole number of milliseconds, found 'x'\n"
            "g.csv:4:13: runtime: expected milliseconds, 0 or more, found '-1'\n"
            "g.csv:4:16: resource_amount_requested: expected a number, 0 or more, found ''\n"
            "g.csv:4:19: user_id: expected a name, found ''\n"
            "g.csv:5: expected 10 cells, found 2\n"
            "g.csv:6:13: runtime: expected 0 to 4500000 s, found 20000000000 of work");
}

TEST(GoogleUwfq, NamesMissingColumnsAndAnEmptyFile) {
  EXPECT_EQ(mistakes_in(parse_google_uwfq(
                text_file("g.csv", "workflow_id,ts_submit,run_time,resource_amount_requested\n"))),
            "g.csv:1: runtime: expected this column, found none; did you mean 'run_time'?\n"
            "g.csv:1: user_id: expected this column, found none; known are workflow_id, "
            "ts_submit, run_time, resource_amount_requested");
  EXPECT_EQ(mistakes_in(parse_google_uwfq(text_file("g.csv", ""))),
            "g.csv: expected a workload, found an empty file");
  EXPECT_EQ(mistakes_in(parse("")), "g.csv: expected at least one task, found only the first line");
}

TEST(GoogleUwfq, GivesThePapersJobs) {
  SOMNUS_TRACE_OR_SKIP(path, "google_uwfq/macro_benchmarks_homo.csv.gz");
  const auto workload = value_or_throw(read_google_uwfq(path));
  EXPECT_EQ(workload.jobs.size(), 97U);
  EXPECT_NEAR(slot_time(workload), 19245.17, 0.01);
  EXPECT_EQ(value_or_throw(read_google_uwfq(path, {.filter = 10})).jobs.size(), 106U);
  EXPECT_EQ(value_or_throw(read_google_uwfq(path, {.filter = 0})).jobs.size(), 133U);
}

// That table was derived from the authors' own run, where arrivals count from the window's start.
TEST(GoogleUwfq, AgreesWithTheTableOfThePapersRun) {
  SOMNUS_TRACE_OR_SKIP(path, "google_uwfq/macro_benchmarks_homo.csv.gz");
  const auto workload = value_or_throw(read_google_uwfq(path));
  struct Row {
    double arrival_ms;
    double core_s;
  };
  std::map<std::string, Row> table;
  std::ifstream rows(SOMNUS_TRACES "/google_uwfq/homo_macro_jobs.csv");
  for (std::string line; std::getline(rows, line);) {
    char job[64];
    double nominal_s = 0;
    Row row{};
    const int found = std::sscanf(line.c_str(), "user_%*d,%63[0-9],%lf,%lf,%lf", job,
                                  &row.arrival_ms, &nominal_s, &row.core_s);
    if (found == 4) table[job] = row;
  }
  ASSERT_EQ(table.size(), 97U);
  const double first_ms = table.at(workload.jobs.front().job).arrival_ms;
  for (const JobSpec& job : workload.jobs) {
    const Row& row = table.at(job.job);
    EXPECT_NEAR(slot_time(job), row.core_s, 1e-3) << job.job;
    EXPECT_NEAR(job.submit * 1000, row.arrival_ms - first_ms, 1.5) << job.job;
  }
}

TEST(GoogleUwfq, ReadsTheHeterogeneousWindow) {
  SOMNUS_TRACE_OR_SKIP(path, "google_uwfq/macro_benchmarks_hetero.csv.gz");
  const auto workload = value_or_throw(read_google_uwfq(path, {.scale = 2, .filter = 0}));
  EXPECT_EQ(workload.jobs.size(), 125U);
}

}  // namespace
}  // namespace somnus::test
