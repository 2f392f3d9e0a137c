#include "workload/summary.hpp"

#include "workload/support.hpp"

namespace somnus::test {
namespace {

TEST(DescribeWorkload, ShowsCountsLoadAndPercentilesInColumns) {
  WorkloadSpec workload{.name = "demo", .resources = {"cpu", "mem_gb"}};
  for (int index = 0; index < 100; ++index) {
    const auto tasks = static_cast<std::size_t>(index < 80 ? 2 : 10);
    workload.jobs.push_back({.job = std::to_string(index),
                             .user = index % 2 == 0 ? "ann" : "bob",
                             .submit = 10 + index * 0.5,
                             .stages = {{.durations = std::vector<double>(tasks, 1 + index)}}});
  }
  workload.jobs.back().after = "0";
  workload.jobs[1].estimate = 12;
  workload.jobs[2].estimate = 9;
  workload.users = {{"bob", 0.5}};
  EXPECT_EQ(describe_workload(workload),
            "workload                  demo\n"
            "jobs                      100\n"
            "stages                    100\n"
            "tasks                     360\n"
            "users                     2\n"
            "  their weights           0.5 to 1\n"
            "jobs after another        1\n"
            "jobs with an estimate     2\n"
            "resources                 cpu, mem_gb\n"
            "arrivals                  10 s to 59.5 s\n"
            "slot-time                 24580 s\n"
            "load of 1000 slots        0.492\n"
            "jobs of <= 5 tasks        80.0 %\n"
            "                        p5    p50    p95     p99     max\n"
            "tasks of a job           2      2     10      10      10\n"
            "task duration [s]     9.00  82.00  99.00  100.00  100.00\n"
            "job slot-time [s]     10.0  100.0  950.0   990.0  1000.0\n");
}

TEST(DescribeWorkload, WritesLongTimesInHoursAndDays) {
  WorkloadSpec workload{.name = "long"};
  workload.jobs.push_back({.job = "a", .stages = {{.durations = {999'999.75, 2'651'067}}}});
  const std::string text = describe_workload(workload);
  EXPECT_THAT(text, testing::HasSubstr("slot-time                 1014.2 h\n"));
  EXPECT_THAT(text, testing::ContainsRegex("task duration \\[h\\] +277.78 +277.78 +736.41"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("e+")));
}

TEST(DescribeWorkload, ShowsGangsLimitsAndHowMuchOfThemJobsUse) {
  WorkloadSpec workload{.name = "rigid"};
  for (int index = 0; index < 4; ++index) {
    workload.jobs.push_back(
        {.job = std::to_string(index),
         .submit = index * 5.0 * 86400,
         .limit = index < 3 ? 100.0 * (index + 1) : 0,
         .stages = {{.durations = std::vector<double>(index % 2 == 0 ? 1 : 2, 50), .gang = true}}});
  }
  const std::string text = describe_workload(workload);
  EXPECT_THAT(text, testing::HasSubstr("jobs with gangs           2\n"));
  EXPECT_THAT(text, testing::HasSubstr("jobs with a time limit    3\n"));
  EXPECT_THAT(text, testing::ContainsRegex("time limit of a job \\[s\\] +100.00 +200.00 +300.00"));
  EXPECT_THAT(text, testing::ContainsRegex("least time / limit \\[%\\] +16.7 +25.0 +50.0"));
  // At 0, 5, 10 and 15 days: the third is on day 3 of a week, the fourth on day 1.
  EXPECT_THAT(draw_workload(workload),
              testing::ContainsRegex("jobs by time of week +0 s \\|.*\\| 120 h"));
  workload.jobs.pop_back();
  EXPECT_THAT(draw_workload(workload), testing::Not(testing::HasSubstr("week")));
}

TEST(DescribeWorkload, CountsNoTasksOfJobsThatAPartitionerWillCut) {
  WorkloadSpec workload{.name = "demo"};
  workload.jobs.push_back(
      {.job = "a", .stages = {{.durations = {1, 3}}, {.stage = 1, .parents = {0}, .work = 50}}});
  workload.jobs.push_back(
      {.job = "b", .submit = 10, .stages = {{.durations = {2}, .affinity = {3, 7}}}});
  EXPECT_EQ(describe_workload(workload),
            "workload                  demo\n"
            "jobs                      2\n"
            "stages                    3\n"
            "  of them with affinity   1\n"
            "  of them divisible       1\n"
            "  their work              50 s\n"
            "tasks of the others       3\n"
            "users                     1\n"
            "arrivals                  0 s to 10 s\n"
            "slot-time                 56 s\n"
            "load of 1000 slots        0.0028\n"
            "                           p5    p50     p95     p99     max\n"
            "task of the others [s]  1.000  2.000   3.000   3.000   3.000\n"
            "job slot-time [s]       2.000  2.000  54.000  54.000  54.000\n");
}

TEST(DescribeWorkload, ShowsWeightsOnlyWhereTheyDiffer) {
  WorkloadSpec workload;
  for (const std::string user : {"ann", "bob"}) {
    workload.jobs.push_back({.job = user, .user = user, .stages = {{.durations = {1}}}});
  }
  const auto weights_shown = [&] {
    return describe_workload(workload).find("their weights") != std::string::npos;
  };
  workload.users = {{"ann", 3}, {"bob", 3}};
  EXPECT_FALSE(weights_shown());
  workload.users = {{"ann", 3}, {"bob", 2}};
  EXPECT_TRUE(weights_shown());
  workload.users = {{"ann", 3}};
  EXPECT_TRUE(weights_shown());
}

TEST(DescribeWorkload, CopesWithJobsAtOneInstantAndWithNone) {
  WorkloadSpec workload;
  EXPECT_EQ(describe_workload(workload),
            "workload                  (no name)\n"
            "jobs                      0\n");
  workload.jobs.push_back({.job = "a", .stages = {{.durations = {1}}}});
  const std::string text = describe_workload(workload);
  EXPECT_NE(text.find("load of 1000 slots        (all jobs arrive at once)\n"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace somnus::test
