#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

std::filesystem::path opendc_table(const char* name) {
  return std::filesystem::path(SOMNUS_FIXTURES) / name;
}

const Registered<FormatSample> opendc_sample =
    FormatSample{"opendc", bytes_of(opendc_table("opendc_tasks.parquet"))};

Checked<WorkloadSpec> parse_fixture(const char* name, const Parameters& options = {}) {
  return parsed("opendc", text_file("t.parquet", bytes_of(opendc_table(name))), options);
}

TEST(Opendc, MakesAJobOfTheTasksThatParentsJoin) {
  const auto workload = value_or_throw(parse_fixture("opendc_tasks.parquet"));
  EXPECT_EQ(workload.resources, (std::vector<std::string>{"cpu", "mem_gb"}));
  ASSERT_EQ(workload.jobs.size(), 2U);
  const JobSpec& joined = workload.jobs[0];
  EXPECT_EQ(joined.job, "7");
  EXPECT_EQ(joined.submit, 0) << "with the first of them";
  ASSERT_EQ(joined.stages.size(), 3U);
  EXPECT_EQ(joined.stages[0].durations, std::vector{300.0});
  EXPECT_EQ(joined.stages[0].demand, (std::vector{4.0, 4.096}));
  EXPECT_EQ(joined.stages[2].parents, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(workload.jobs[1].job, "11");
  EXPECT_EQ(workload.jobs[1].submit, 60);
}

TEST(Opendc, ReadsMachinesWithStartAndStop) {
  const auto workload = value_or_throw(parse_fixture("opendc_meta.parquet", {{"demands", false}}));
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_TRUE(workload.resources.empty());
  EXPECT_EQ(workload.jobs[0].job, "1019");
  EXPECT_EQ(workload.jobs[0].stages[0].durations, std::vector{300.0});
  EXPECT_EQ(workload.jobs[1].submit, 0.5);
  EXPECT_EQ(workload.jobs[1].stages[0].durations, std::vector{0.0});
}

TEST(Opendc, NamesEveryMistake) {
  const std::string out = "; skip_broken = true leaves the job out\n";
  EXPECT_EQ(mistakes_in(parse_fixture("opendc_broken.parquet")) + "\n",
            "t.parquet:1: duration: expected milliseconds from 0 to 2000000000000, found -1" + out +
                "t.parquet:2: cpu_count: expected a number of cores from 1 to 1000000000000, found "
                "0" +
                out +
                "t.parquet:2: mem_capacity: expected megabytes from 0 to 1000000000000, found -5" +
                out + "t.parquet:4: id: expected a task's own id, found 3 again" + out +
                "t.parquet:3: parents: expected the id of a task, found 99" + out +
                "t.parquet:5: parents: stages[0].parents of job 5: expected no cycle, found stages "
                "that wait for each other: 0 -> 1 -> 0" +
                out);
  const auto workload =
      value_or_throw(parse_fixture("opendc_broken.parquet", {{"skip_broken", true}}));
  EXPECT_EQ(workload.name, "t.parquet (broken jobs left out: 5)");
  EXPECT_EQ(workload.jobs.size(), 1U);
}

TEST(Opendc, IsFoundInItsFolder) {
  const Folder folder;
  const auto tasks = folder.file("tasks.parquet", bytes_of(opendc_table("opendc_tasks.parquet")));
  const auto samples =
      folder.file("fragments.parquet", bytes_of(opendc_table("opendc_fragments.parquet")));
  EXPECT_EQ(value_or_throw(read_workload(tasks.parent_path())).jobs.size(), 2U);
  EXPECT_EQ(mistakes_in(read_workload(samples)),
            samples.string() +
                ": this is no table of OpenDC's tasks: expected also submission_time, cpu_count; "
                "these are samples of usage; name tasks.parquet or meta.parquet");
}

TEST(Opendc, IsToldFromTheWorkflowTraceArchiveByItsColumns) {
  const Folder folder;
  const auto tasks = folder.file("tasks.parquet", bytes_of(opendc_table("wta.parquet")));
  EXPECT_EQ(value_or_throw(read_workload(tasks.parent_path())).jobs.size(), 2U);
  EXPECT_TRUE(looks_like("wta", bytes_of(opendc_table("wta.parquet"))));
  EXPECT_FALSE(looks_like("opendc", bytes_of(opendc_table("wta.parquet"))));
  EXPECT_FALSE(looks_like("wta", bytes_of(opendc_table("opendc_tasks.parquet"))));
}

}  // namespace
}  // namespace somnus::test
