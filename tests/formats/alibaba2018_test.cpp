#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> alibaba2018_sample =
    FormatSample{"alibaba2018", "M1,2,j_1,A,Terminated,10,20,100,0.5\n"};

Checked<WorkloadSpec> parse_tasks(std::string rows, const Parameters& options = {}) {
  return parsed("alibaba2018", text_file("b.csv", std::move(rows)), options);
}

constexpr std::string_view two_jobs =
    "J3_1_2,2,j_7,A,Terminated,130,140,100,0.5\n"
    "M1,3,j_8,A,Terminated,115,125,50,0.25\n"
    "M1,1,j_7,A,Terminated,120,130,200,1.5\n"
    "M2,1,j_7,A,Terminated,121,124,100,0.5\n";

TEST(Alibaba2018, GathersTheTasksOfAJobIntoADag) {
  const auto workload = value_or_throw(parse_tasks(std::string(two_jobs)));
  EXPECT_EQ(workload.resources, (std::vector<std::string>{"cpu", "mem"}));
  ASSERT_EQ(workload.jobs.size(), 2U);
  const JobSpec& job = workload.jobs[1];
  EXPECT_EQ(job.job, "j_7");
  ASSERT_EQ(job.stages.size(), 3U);
  EXPECT_EQ(job.stages[0].stage, 3U);
  EXPECT_EQ(job.stages[0].parents, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(job.stages[0].durations, (std::vector{10.0, 10.0}));
  EXPECT_EQ(job.stages[0].demand, (std::vector{1.0, 0.5}));
  EXPECT_EQ(job.stages[1].stage, 1U);
  EXPECT_TRUE(job.stages[1].parents.empty());
  EXPECT_EQ(job.stages[1].demand, (std::vector{2.0, 1.5}));
  EXPECT_EQ(job.stages[2].durations, std::vector{3.0});
}

TEST(Alibaba2018, TakesASlotWhereDemandsAreNotWanted) {
  const std::string row = "M1,3,j_8,A,Terminated,115,125,,\n";
  EXPECT_FALSE(parse_tasks(row));
  const auto workload = value_or_throw(parse_tasks(row, {{"demands", false}}));
  EXPECT_TRUE(workload.resources.empty());
  EXPECT_TRUE(workload.jobs[0].stages[0].demand.empty());
}

TEST(Alibaba2018, SubmitsAJobWhenItsFirstTaskStarts) {
  const auto workload = value_or_throw(parse_tasks(std::string(two_jobs)));
  EXPECT_EQ(workload.jobs[0].job, "j_8");
  EXPECT_EQ(workload.jobs[0].submit, 0);
  EXPECT_EQ(workload.jobs[1].submit, 5);
}

TEST(Alibaba2018, KeepsTheFirstJobsOnly) {
  const auto workload = value_or_throw(parse_tasks(std::string(two_jobs), {{"jobs", 1}}));
  ASSERT_EQ(workload.jobs.size(), 1U);
  EXPECT_EQ(workload.jobs[0].job, "j_8");
  EXPECT_EQ(value_or_throw(parse_tasks(std::string(two_jobs), {{"jobs", 9}})).jobs.size(), 2U);
}

TEST(Alibaba2018, TakesColumnsInAnyOrderAndTheMeanOfInstancesWhereAFirstLineNamesThem) {
  const auto workload = value_or_throw(
      parse_tasks("job_name,task_name,mean_instance_duration_s,instance_num,status,start_time,"
                  "end_time,plan_cpu,plan_mem,more\n"
                  "j_1,M1,2.5,2,Terminated,10,20,100,1,x\n"
                  "j_1,M2,,1,Terminated,10,20,100,1,\r\n"));
  EXPECT_EQ(workload.jobs[0].stages[0].durations, (std::vector{2.5, 2.5}));
  EXPECT_EQ(workload.jobs[0].stages[1].durations, std::vector{10.0});
}

TEST(Alibaba2018, LetsTasksWithoutNumberStandAlone) {
  const auto workload = value_or_throw(parse_tasks(
      "task_Nzg3_1,1,j_1,,Terminated,1,2,100,1\nM1_Stg8,1,j_1,,Terminated,1,2,100,1\n"
      "R5_1_Stg2,1,j_1,,Terminated,1,2,100,1\nMergeTask,1,j_1,,Terminated,1,2,100,1\n"));
  const auto& stages = workload.jobs[0].stages;
  std::vector<std::uint32_t> numbers;
  for (const StageSpec& stage : stages) numbers.push_back(stage.stage);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{6, 1, 5, 7}));
  EXPECT_TRUE(stages[0].parents.empty()) << "task_Nzg3_1";
  EXPECT_TRUE(stages[1].parents.empty()) << "M1_Stg8";
  EXPECT_EQ(stages[2].parents, std::vector{1U}) << "R5_1_Stg2";
}

constexpr std::string_view ill_rows =
    "M1,2,j_1,A,Terminated,10,20,100,0.5\n"
    "M1,2,j_1,A,Terminated,10,20,100,0.5\n"
    "R2_1_1_7,2,j_1,A,Terminated,10,20,100,0.5\n"
    "R3_2x,0,j_1,A,Terminated,-1,x,,\n"
    "M4,1,j_1,A,Terminated,30,20,-1,0.5\n"
    "M5,,j_1,A,Failed,0,0,,\n"
    "M1,1,,A,Terminated,10,20,100,0.5\n"
    "M1,1,j_1\n"
    "R1_2,1,j_2,A,Terminated,10,20,100,0.5\n"
    "R2_1,1,j_2,A,Terminated,10,20,100,0.5\n"
    "M1,1,j_3,A,Terminated,10,20,100,0.5\n";

TEST(Alibaba2018, NamesEveryMistakeAtItsPlace) {
  const std::string out = "; skip_broken = true leaves the job out\n";
  EXPECT_EQ(
      mistakes_in(parse_tasks(std::string(ill_rows))) + "\n",
      "b.csv:4:1: task_name: expected parents' numbers, as in R4_2_3, found 'R3_2x'" + out +
          "b.csv:4:7: instance_num: expected a whole number from 1 to 10000000, found '0'" + out +
          "b.csv:4:26: start_time: expected a time of the workload in seconds, found '-1'" + out +
          "b.csv:4:29: end_time: expected a time of the workload in seconds, found 'x'" + out +
          "b.csv:4:31: plan_cpu: expected a number, 0 or more, found ''" + out +
          "b.csv:4:32: plan_mem: expected a number, 0 or more, found ''" + out +
          "b.csv:5:26: end_time: expected an end that is not before the start, found '20'" + out +
          "b.csv:5:29: plan_cpu: expected a number, 0 or more, found '-1'" + out +
          "b.csv:6:11: status: expected Terminated, found 'Failed'" + out +
          "b.csv:7:6: job_name: expected a name, found an empty one\n"
          "b.csv:8: expected 9 cells, found 3\n"
          "b.csv:2:1: task_name: expected a task number of its own, found 1 again, as in line 1" +
          out + "b.csv:3:1: task_name: expected tasks of the job as parents, found 7" + out +
          "b.csv:9: stages[0].parents: expected no cycle, found stages that wait for each other: "
          "1 -> 2 -> 1" +
          out);
}

TEST(Alibaba2018, LeavesOutBrokenJobsOnRequestAndSaysHowMany) {
  std::string rows(ill_rows);
  for (const std::string_view nobodys : {"M1,1,,A,Terminated,10,20,100,0.5\n", "M1,1,j_1\n"}) {
    rows.erase(rows.find(nobodys), nobodys.size());
  }
  const auto workload = value_or_throw(parse_tasks(rows, {{"skip_broken", true}}));
  ASSERT_EQ(workload.jobs.size(), 1U);
  EXPECT_EQ(workload.jobs[0].job, "j_3");
  EXPECT_EQ(workload.jobs[0].submit, 0);
  EXPECT_EQ(workload.name, "b.csv (broken jobs left out: 2)");
  EXPECT_EQ(value_or_throw(parse_tasks(std::string(two_jobs), {{"skip_broken", true}})).name,
            "b.csv");
}

TEST(Alibaba2018, TakesAParentThatIsNamedTwiceForOne) {
  const auto workload = value_or_throw(
      parse_tasks("M1,1,j_1,,Terminated,1,2,100,1\nR2_1_1,1,j_1,,Terminated,1,2,100,1\n"));
  EXPECT_EQ(workload.jobs[0].stages[1].parents, std::vector{1U});
}

TEST(Alibaba2018, LeavesOutJobsWithNamesThatTheTraceCutOff) {
  const std::string cut = "R9_14_17_28_30_40_42_52_54_64_66_76_78_88_90_99_10";  // of 102
  std::string rows = "M1,1,j_2,,Terminated,1,2,100,1\n";
  for (const char* const task : {"M10", "M14", "M102", cut.c_str()}) {
    rows += fmt::format("{},1,j_1,,Terminated,1,2,100,1\n", task);
  }
  EXPECT_EQ(mistakes_in(parse_tasks(rows)),
            "b.csv:5:1: task_name: expected a whole name, found 50 characters, at which the trace "
            "cuts names off: the last parent may be another one; skip_broken = true leaves the job "
            "out");
  const auto workload = value_or_throw(parse_tasks(rows, {{"skip_broken", true}}));
  EXPECT_EQ(workload.name, "b.csv (broken jobs left out: 1, of them with cut names: 1)");
  ASSERT_EQ(workload.jobs.size(), 1U);
  EXPECT_EQ(workload.jobs[0].job, "j_2");
  const std::string alone = "task_" + std::string(45, 'x') + ",1,j_1,,Terminated,1,2,100,1\n";
  EXPECT_TRUE(parse_tasks(alone)) << "no parent is lost";
}

TEST(Alibaba2018, RefusesRowsOfNoJobThoughBrokenJobsAreLeftOut) {
  EXPECT_EQ(mistakes_in(parse_tasks(std::string(ill_rows), {{"skip_broken", true}})),
            "b.csv:7:6: job_name: expected a name, found an empty one\n"
            "b.csv:8: expected 9 cells, found 3");
}

TEST(Alibaba2018, NamesMissingColumnsAndFilesWithoutJobs) {
  EXPECT_EQ(mistakes_in(parse_tasks("task_name,instance_num,job_name,status,start,end_time,"
                                    "plan_cpu,plan_mem\nM1,1,j,Terminated,1,2,1,1\n")),
            "b.csv:1: start_time: expected this column, found none; known are task_name, "
            "instance_num, job_name, status, start, end_time, plan_cpu, plan_mem");
  EXPECT_EQ(mistakes_in(parse_tasks("")), "b.csv: expected a workload, found an empty file");
  EXPECT_EQ(mistakes_in(parse_tasks("task_name,instance_num,job_name,task_type,status,start_time,"
                                    "end_time,plan_cpu,plan_mem\n")),
            "b.csv: expected at least one task, found only the first line");
  EXPECT_EQ(mistakes_in(parse_tasks("M1,1,j,,Failed,1,2,,\n", {{"skip_broken", true}})),
            "b.csv: expected at least one whole job, found broken ones only");
}

TEST(Alibaba2018, IsDetectedFromItsFirstLine) {
  EXPECT_TRUE(looks_like("alibaba2018", "task_name,instance_num,job_name,task_type,status\n"));
  EXPECT_TRUE(looks_like("alibaba2018", two_jobs));
  EXPECT_TRUE(looks_like("alibaba2018", "M1,1,j_3,,Waiting,0,0,,\r\n"));
  EXPECT_FALSE(looks_like("alibaba2018", "workflow_id,ts_submit,runtime,a,b,c,d,e,f\n"));
  EXPECT_FALSE(looks_like("alibaba2018", "0 1 4 4\n"));
  EXPECT_FALSE(looks_like("alibaba2018", ""));
}

// Jobs, rows, edges, instances and instance_num * mean_instance_duration_s, summed up elsewhere.
TEST(Alibaba2018, ReadsTheRealDags) {
  SOMNUS_TRACE_OR_SKIP(path, "alibaba2018/alibaba2018_medium_3690_dags.csv.gz");
  const auto workload = value_or_throw(read_workload(path));
  EXPECT_EQ(workload.jobs.size(), 3690U);
  const Totals all = totals_of(workload);
  EXPECT_EQ(all.stages, 22'409U);
  EXPECT_EQ(all.edges, 20'108U);
  EXPECT_EQ(all.tasks, 242'068U);
  EXPECT_NEAR(all.slot_s, 39'861'142.10328, 0.001);
  EXPECT_EQ(workload.jobs.front().submit, 0);
}

}  // namespace
}  // namespace somnus::test
