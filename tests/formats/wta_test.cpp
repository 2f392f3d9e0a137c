// The Workflow Trace Archive's tasks; the fixtures are those of tests/data/parquet.
#include <gtest/gtest.h>

#include <filesystem>

#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

const std::string wta_fixtures = SOMNUS_FIXTURES "/";

const Registered<FormatSample> wta_sample =
    FormatSample{"wta", bytes_of(wta_fixtures + "wta.parquet")};

std::string_view without_folder(std::string_view text) {
  return text.substr(text.starts_with(wta_fixtures) ? wta_fixtures.size() : 0);
}

std::string wta_mistakes(const Checked<WorkloadSpec>& checked) {
  std::string all = mistakes_in(checked);
  for (auto at = all.find(wta_fixtures); at != std::string::npos; at = all.find(wta_fixtures)) {
    all.erase(at, wta_fixtures.size());
  }
  return all;
}

TEST(Wta, MakesAWorkflowAJobAndATaskAStage) {
  const WorkloadSpec read = value_or_throw(read_workload(wta_fixtures + "wta.parquet"));
  EXPECT_EQ(without_folder(read.name), "wta.parquet");
  ASSERT_EQ(read.jobs.size(), 2);
  EXPECT_EQ(read.jobs[0].job, "4");
  EXPECT_EQ(read.jobs[0].user, "default");
  EXPECT_EQ(read.jobs[0].submit, 0);
  const JobSpec& chain = read.jobs[1];
  EXPECT_EQ(chain.job, "7");
  EXPECT_EQ(chain.user, "user_3");
  EXPECT_EQ(chain.submit, 1);
  ASSERT_EQ(chain.stages.size(), 3);
  EXPECT_EQ(chain.stages[0].durations, (std::vector<double>{1.5}));
  EXPECT_EQ(chain.stages[1].parents, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(chain.stages[2].parents, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(chain.stages[2].durations, (std::vector<double>{0}));
}

TEST(Wta, TellsAllThatIsWrongWithTheRows) {
  const std::string hint = "; skip_broken = true leaves the workflow out";
  const std::string name = "wta_broken.parquet:";
  EXPECT_EQ(wta_mistakes(read_workload(wta_fixtures + "wta_broken.parquet")),
            name + "2: runtime: expected milliseconds from 0 to 9000000000000000, found -1" + hint +
                "\n" + name + "1: parents: expected tasks of workflow 1, found 9" + hint + "\n" +
                name + "4: id: expected a task's own id, found 2 again" + hint + "\n" + name +
                "5: workflow_id: stages[0].parents of workflow 3: expected no cycle, found stages "
                "that wait for each other: 0 -> 1 -> 0" +
                hint);
}

TEST(Wta, LeavesBrokenWorkflowsOut) {
  const WorkloadSpec read = value_or_throw(
      read_workload(wta_fixtures + "wta_broken.parquet", "wta", {{"skip_broken", true}}));
  EXPECT_EQ(read.name, "wta_broken.parquet (broken jobs left out: 3)");
  ASSERT_EQ(read.jobs.size(), 1);
  EXPECT_EQ(read.jobs[0].job, "4");
}

TEST(Wta, RefusesOtherParquetFiles) {
  EXPECT_EQ(wta_mistakes(read_workload(wta_fixtures + "snappy.parquet", "wta")),
            "snappy.parquet: this is a Parquet file without the Workflow Trace Archive's columns: "
            "expected also id, workflow_id, ts_submit, runtime");
  EXPECT_EQ(
      wta_mistakes(parsed("wta", text_file("a.parquet", "PAR1"))),
      "a.parquet: expected PAR1 at the end of a Parquet file too, found none: the file is cut "
      "off, or its footer is encrypted");
}

TEST(Wta, ReadsTheTasksOfAFolder) {
  const Folder folder;
  std::filesystem::create_directories(folder / "tasks/schema-1.0");
  for (const char* part : {"part.0.parquet", "part.1.parquet"}) {
    const bool is_first = std::string_view(part) == "part.0.parquet";
    std::filesystem::copy(wta_fixtures + (is_first ? "wta.parquet" : "wta_broken.parquet"),
                          folder / "tasks/schema-1.0" / part);
  }
  const Parameters skip = {{"skip_broken", true}};
  const WorkloadSpec read = value_or_throw(read_workload(folder / "", "", skip));
  EXPECT_EQ(read.jobs.size(), 2);  // workflow 4 is in both parts: one job
  EXPECT_EQ(mistakes_in(read_workload(folder / "absent", "wta")),
            (folder / "absent").string() + ": cannot be opened: No such file or directory");
}

TEST(Wta, ReadsTheShellTrace) {
  SOMNUS_TRACE_OR_SKIP(path, "wta/shell");
  const WorkloadSpec read = value_or_throw(read_workload(path));
  EXPECT_EQ(read.jobs.size(), 3403);
  EXPECT_EQ(totals_of(read).stages, 10208);
  EXPECT_EQ(totals_of(read).edges, 6805);
  EXPECT_NEAR(totals_of(read).slot_s, 89229.863, 1e-6);
  EXPECT_EQ(value_or_throw(read_workload(path / "tasks.part.0.parquet")).jobs.size(), 3403);
  const auto workflows = path / "workflows.part.0.parquet";
  EXPECT_EQ(mistakes_in(read_workload(workflows)),
            workflows.string() +
                ": this is a Parquet file without the Workflow Trace Archive's "
                "columns: expected also workflow_id, runtime, parents; these are "
                "workflows; name the file with their tasks");
}

}  // namespace
}  // namespace somnus::test
