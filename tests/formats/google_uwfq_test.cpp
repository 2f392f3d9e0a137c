#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> google_uwfq_sample =
    FormatSample{"google-uwfq",
                 "workflow_id,ts_submit,runtime,resource_amount_requested,user_id\n6,0,1000,1,u\n"};

constexpr std::string_view columns =
    "workflow_id,ts_submit,ts_submit_seconds,task_count,total_resources,task_id,runtime,"
    "resource_amount_requested,resource_run_time,user_id\n";

Checked<WorkloadSpec> parse_rows(std::string_view rows, const Parameters& options = {}) {
  return parsed("google-uwfq", text_file("g.csv", std::string(columns) + std::string(rows)),
                options);
}

constexpr double row_overhead_s = 0.12;  // load and collect, by default

// Of each row, in order of size.
std::vector<double> works(const JobSpec& job) {
  std::vector<double> all;
  for (const StageSpec& stage : job.stages) {
    if (stage.work > 0) all.push_back(stage.work);
  }
  std::ranges::sort(all);
  return all;
}

double total(const std::vector<double>& all) {
  return std::accumulate(all.begin(), all.end(), 0.0);
}

constexpr std::string_view three_rows =
    "7,2500,2.5,2,1,0,1000,0.5,500,-12\n"
    "6,1000,1,1,1,0,8000,0.25,2000,34\r\n"
    "7,2500,2.5,2,1,1,2000,0.5,1000,-12\n";

TEST(GoogleUwfq, GathersRowsIntoJobsInOrderOfSubmit) {
  const auto workload =
      value_or_throw(parse_rows(three_rows, {{"chain", false}, {"name_users", false}}));
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[0].job, "6");
  EXPECT_EQ(workload.jobs[0].user, "34");
  EXPECT_EQ(workload.jobs[0].submit, 0);
  EXPECT_EQ(workload.jobs[0].stages[0].durations, std::vector{40.0});
  EXPECT_EQ(workload.jobs[1].submit, 1.5);
  EXPECT_EQ(workload.jobs[1].stages[0].durations, (std::vector{10.0, 20.0}));
}

TEST(GoogleUwfq, MakesEachRowAChainOfItsOwnWithinTheJob) {
  const auto workload =
      value_or_throw(parse_rows(three_rows, {{"load_s", 0.5}, {"collect_s", 0.25}}));
  const auto& stages = workload.jobs[1].stages;
  ASSERT_EQ(stages.size(), 6U);
  for (std::uint32_t row = 0; row < 2; ++row) {
    const std::uint32_t first = 3 * row;
    EXPECT_EQ(stages[first].stage, first);
    EXPECT_TRUE(stages[first].parents.empty());
    EXPECT_EQ(stages[first].durations, std::vector{0.5});
    EXPECT_EQ(stages[first + 1].work, 10 + 10 * row);
    EXPECT_EQ(stages[first + 1].parents, std::vector{first});
    EXPECT_EQ(stages[first + 2].durations, std::vector{0.25});
    EXPECT_EQ(stages[first + 2].parents, std::vector{first + 1});
  }
}

TEST(GoogleUwfq, EstimatesJobsAtTheGivenMultipleOfTheirSlotTimeButNotAtOne) {
  for (const bool chain : {true, false}) {
    const auto workload =
        value_or_throw(parse_rows(three_rows, {{"chain", chain}, {"estimate_factor", 3.6}}));
    for (const JobSpec& job : workload.jobs) {
      EXPECT_NEAR(job.estimate, 3.6 * slot_time(job), 1e-6) << job.job;
    }
    for (const JobSpec& job : value_or_throw(parse_rows(three_rows, {{"chain", chain}})).jobs) {
      EXPECT_EQ(job.estimate, 0) << job.job;
    }
  }
}

TEST(GoogleUwfq, MakesARowWithoutWorkAnEmptyTask) {
  const auto workload = value_or_throw(parse_rows("1,0,0,1,1,0,0,1,0,u\n", {{"filter", 0}}));
  EXPECT_EQ(workload.jobs[0].stages[1].durations, std::vector{0.0});
  EXPECT_NEAR(slot_time(workload.jobs[0]), row_overhead_s, 1e-12);
}

TEST(GoogleUwfq, NumbersUsersByTheirFirstRowsThoughTheirJobsBeLeftOut) {
  const auto workload =
      value_or_throw(parse_rows("1,9,0,1,1,0,1000,1,1,x\n2,0,0,1,1,0,90000,1,1,a\n"
                                "3,5,0,1,1,0,1000,1,1,m\n4,7,0,1,1,0,1000,1,1,x\n"));
  std::vector<std::string> users;
  for (const JobSpec& job : workload.jobs) users.push_back(job.job + " " + job.user);
  EXPECT_EQ(users, (std::vector<std::string>{"3 user_3", "4 user_1", "1 user_1"}));
}

TEST(GoogleUwfq, LeavesOutJobsFromTheGivenMultipleOfTheMedianOn) {
  constexpr std::string_view rows =
      "1,0,0,1,1,0,1000,1,1,u\n2,0,0,1,1,0,1000,1,1,u\n3,0,0,1,1,0,5000,1,1,u\n";
  EXPECT_EQ(value_or_throw(parse_rows(rows)).jobs.size(), 2U);
  EXPECT_EQ(value_or_throw(parse_rows(rows, {{"filter", 5.1}})).jobs.size(), 3U);
  EXPECT_EQ(value_or_throw(parse_rows(rows, {{"filter", 0}})).jobs.size(), 3U);
}

TEST(GoogleUwfq, NamesEveryMistakeAtItsPlace) {
  EXPECT_EQ(mistakes_in(parse_rows("1,0,0,1,1,0,1000,1,1,u\n"
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
            "g.csv:6:13: runtime: expected 0 to 8300000 s (96 days: a log keeps no longer time to "
            "the nanosecond), found 20000000000 of work");
}

TEST(GoogleUwfq, NamesMissingColumnsAndAnEmptyFile) {
  EXPECT_EQ(mistakes_in(parsed(
                "google-uwfq",
                text_file("g.csv", "workflow_id,ts_submit,run_time,resource_amount_requested\n"))),
            "g.csv:1: runtime: expected this column, found none; did you mean 'run_time'?\n"
            "g.csv:1: user_id: expected this column, found none; known are workflow_id, "
            "ts_submit, run_time, resource_amount_requested");
  EXPECT_EQ(mistakes_in(parsed("google-uwfq", text_file("g.csv", ""))),
            "g.csv: expected a workload, found an empty file");
  EXPECT_EQ(mistakes_in(parse_rows("")),
            "g.csv: expected at least one task, found only the first line");
}

TEST(GoogleUwfq, GivesThePapersJobs) {
  SOMNUS_TRACE_OR_SKIP(path, "google_uwfq/macro_benchmarks_homo.csv.gz");
  EXPECT_EQ(value_or_throw(read_workload(path, "google-uwfq")).jobs.size(), 97U);
  EXPECT_EQ(value_or_throw(read_workload(path, "google-uwfq", {{"filter", 10}})).jobs.size(), 106U);
  EXPECT_EQ(value_or_throw(read_workload(path, "google-uwfq", {{"filter", 0}})).jobs.size(), 133U);
  const auto flat = value_or_throw(read_workload(path, "google-uwfq", {{"chain", false}}));
  EXPECT_NEAR(totals_of(flat).slot_s, 19245.17, 0.01);
}

// That table was derived from the authors' own run, where arrivals count from the window's start.
TEST(GoogleUwfq, AgreesWithTheTableOfThePapersRun) {
  SOMNUS_TRACE_OR_SKIP(path, "google_uwfq/macro_benchmarks_homo.csv.gz");
  const auto workload = value_or_throw(read_workload(path, "google-uwfq"));
  struct Row {
    int user;
    double arrival_ms;
    double core_s;
    std::size_t rows;
  };
  std::map<std::string, Row> table;
  std::ifstream lines(SOMNUS_TRACES "/google_uwfq/homo_macro_jobs.csv");
  for (std::string line; std::getline(lines, line);) {
    char job[64];
    double nominal_s = 0;
    Row row{};
    const int found = std::sscanf(line.c_str(), "user_%d,%63[0-9],%lf,%lf,%lf,%zu", &row.user, job,
                                  &row.arrival_ms, &nominal_s, &row.core_s, &row.rows);
    if (found == 6) table[job] = row;
  }
  ASSERT_EQ(table.size(), 97U);
  ASSERT_EQ(workload.jobs.size(), 97U);
  const double first_ms = table.at(workload.jobs.front().job).arrival_ms;
  for (const JobSpec& job : workload.jobs) {
    const Row& row = table.at(job.job);
    EXPECT_EQ(job.user, fmt::format("user_{}", row.user)) << job.job;
    EXPECT_EQ(works(job).size(), row.rows) << job.job;
    EXPECT_NEAR(total(works(job)), row.core_s, 1e-3) << job.job;
    EXPECT_NEAR(slot_time(job), row.core_s + row_overhead_s * static_cast<double>(row.rows), 1e-3);
    EXPECT_NEAR(job.submit * 1000, row.arrival_ms - first_ms, 1.5) << job.job;
  }
}

// What their Spark was to run: per entry 24 / 32 of its core-seconds, one entry a row.
struct Configured {
  std::string user;
  double start_ms = 0;
  std::vector<double> works;  // in order of size
};

std::map<std::string, Configured> authors_jobs(const std::filesystem::path& path) {
  std::map<std::string, Configured> jobs;
  const auto users = nlohmann::json::parse(value_or_throw(TextFile::load(path)).text());
  for (const auto& user : users) {
    for (const auto& entry : user.at("workloads")) {
      const auto name = entry.at("workloadName").get<std::string>();
      Configured& job = jobs[name.substr(name.rfind('_') + 1)];
      job.user = user.at("user");
      job.start_ms = entry.at("startTimeMs");
      job.works.push_back(entry.at("params").at("task_runtime_s").get<double>() * 32 / 24);
    }
  }
  for (auto& [name, job] : jobs) std::ranges::sort(job.works);
  return jobs;
}

void expect_the_authors_jobs(const WorkloadSpec& workload, const std::filesystem::path& config) {
  const auto theirs = authors_jobs(config);
  ASSERT_EQ(workload.jobs.size(), theirs.size());
  const double first_ms = theirs.at(workload.jobs.front().job).start_ms;
  for (const JobSpec& job : workload.jobs) {
    const Configured& expected = theirs.at(job.job);
    EXPECT_EQ(job.user, expected.user) << job.job;
    EXPECT_NEAR(job.submit * 1000, expected.start_ms - first_ms, 1.5) << job.job;
    const auto ours = works(job);
    ASSERT_EQ(ours.size(), expected.works.size()) << job.job;
    for (std::size_t row = 0; row < ours.size(); ++row) {
      EXPECT_NEAR(ours[row], expected.works[row], 1e-6 * ours[row]) << job.job;
    }
  }
}

TEST(GoogleUwfq, AgreesWithTheAuthorsHomogeneousConfiguration) {
  SOMNUS_TRACE_OR_SKIP(path, "google_uwfq/macro_benchmarks_homo.csv.gz");
  expect_the_authors_jobs(value_or_throw(read_workload(path, "google-uwfq")),
                          SOMNUS_TRACES "/google_uwfq/homo_macro_config.json.gz");
}

TEST(GoogleUwfq, AgreesWithTheAuthorsHeterogeneousConfiguration) {
  SOMNUS_TRACE_OR_SKIP(path, "google_uwfq/macro_benchmarks_hetero.csv.gz");
  expect_the_authors_jobs(
      value_or_throw(read_workload(path, "google-uwfq", {{"scale", 2}, {"filter", 0}})),
      SOMNUS_TRACES "/google_uwfq/hetero_macro_config.json.gz");
}

}  // namespace
}  // namespace somnus::test
