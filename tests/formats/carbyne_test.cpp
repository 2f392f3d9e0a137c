#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> carbyne_sample =
    FormatSample{"carbyne-dags", "# 0\n1 0\nMap 5 0.2 0.2 0 0 0 0 3\n0\n"};

Checked<WorkloadSpec> parse(std::string text, const Parameters& options = {}) {
  return parsed("carbyne-dags", text_file("c.txt", std::move(text)), options);
}

TEST(Carbyne, ReadsStagesDemandsAndEdges) {
  const auto workload = value_or_throw(
      parse("# 7: query\n2 7 3.5 etl\nReducer2 40 0.19 0.23 0.07 0.12 0.01 0.14 1\r\n"
            "Map1 4.5 0.5 0 0 0 0 1  2\n1\nMap1 Reducer2 ata\n"));
  EXPECT_EQ(workload.resources,
            (std::vector<std::string>{"cpu", "mem", "io1", "io2", "io3", "io4"}));
  ASSERT_EQ(workload.jobs.size(), 1U);
  const JobSpec& job = workload.jobs[0];
  EXPECT_EQ(job.job, "7");
  EXPECT_EQ(job.submit, 0);
  EXPECT_EQ(job.queue, "etl");
  ASSERT_EQ(job.stages.size(), 2U);
  EXPECT_EQ(job.stages[0].durations, std::vector{40.0});
  EXPECT_EQ(job.stages[0].demand, (std::vector{0.19, 0.23, 0.07, 0.12, 0.01, 0.14}));
  EXPECT_EQ(job.stages[0].parents, std::vector{1U});
  EXPECT_EQ(job.stages[1].durations, (std::vector{4.5, 4.5}));
  EXPECT_TRUE(job.stages[1].parents.empty());
}

constexpr std::string_view one_task = "M 5 0 0 0 0 0 0 1\n0\n";

TEST(Carbyne, PutsJobsInOrderOfArrivalFromZeroOn) {
  const std::string text = fmt::format("1 a 9\n{0}1 b 7\n{0}1 c 7.25\n{0}", one_task);
  const auto workload = value_or_throw(parse(text));
  EXPECT_EQ(workload.jobs[0].job, "b");
  EXPECT_EQ(workload.jobs[1].job, "c");
  EXPECT_EQ(workload.jobs[1].submit, 0.25);
  EXPECT_EQ(workload.jobs[2].job, "a");
  EXPECT_EQ(workload.jobs[2].submit, 2);
}

TEST(Carbyne, SpacesJobsWhoseHeadersHaveNoArrival) {
  const std::string text = fmt::format("1 a\n{0}# b\n1 b\n{0}1 c\n{0}", one_task);
  const auto workload = value_or_throw(parse(text, {{"interarrival_s", 1.5}}));
  EXPECT_EQ(workload.jobs[1].submit, 1.5);
  EXPECT_EQ(workload.jobs[2].submit, 3);
  EXPECT_EQ(value_or_throw(parse(text)).jobs[2].submit, 0);
}

TEST(Carbyne, GivesEdgesToTheLastStageOfAName) {
  const auto workload = value_or_throw(
      parse("3 0\nM 1 0 0 0 0 0 0 1\nM 2 0 0 0 0 0 0 1\nR 3 0 0 0 0 0 0 1\n1\nM R ata\n"));
  EXPECT_EQ(workload.jobs[0].stages[2].parents, std::vector{1U});
}

TEST(Carbyne, NamesEveryMistakeAtItsPlace) {
  EXPECT_EQ(mistakes_in(parse("2 0 -1\n"
                              "A x 0 0 0 1.5 0 0 1\n"
                              "B 1 0 0\n"
                              "2 3\n"
                              "A C ata\n"
                              "A B\n"
                              "none 1\n"
                              "A 1 0 0 0 0 0 0 1\n"
                              "# again\n"
                              "1\n"
                              "A 1 0 0 0 0 0 0 0 9\n"
                              "many\n")),
            "c.txt:1:5: submit: expected 0 to 8300000 s, found -1\n"
            "c.txt:2:3: duration: expected a number, found 'x'\n"
            "c.txt:2:11: io2: expected a share of a machine, 0 to 1, found '1.5'\n"
            "c.txt:3:8: io1: expected a share of a machine, 0 to 1, found the line's end\n"
            "c.txt:3:8: io2: expected a share of a machine, 0 to 1, found the line's end\n"
            "c.txt:3:8: io3: expected a share of a machine, 0 to 1, found the line's end\n"
            "c.txt:3:8: io4: expected a share of a machine, 0 to 1, found the line's end\n"
            "c.txt:3:8: tasks: expected a whole number from 1 to 10000000, found the line's end\n"
            "c.txt:4:3: expected the line's end, found '3'\n"
            "c.txt:5:3: child: expected a stage of the DAG, found 'C'\n"
            "c.txt:6:4: kind: expected the edge's kind, say ata, found the line's end\n"
            "c.txt:7:1: stages: expected a whole number from 1 to 1000000, found 'none'\n"
            "c.txt:10:2: job: expected a DAG's id, found the line's end\n"
            "c.txt:11:17: tasks: expected a whole number from 1 to 10000000, found '0'\n"
            "c.txt:11:19: expected the line's end, found '9'\n"
            "c.txt:12:1: edges: expected a whole number from 0 to 1, found 'many'");
}

TEST(Carbyne, SaysWhereADagIsCutShort) {
  EXPECT_EQ(mistakes_in(parse("3 0\nA 1 0 0 0 0 0 0 1\n# 1\n1 1\nA 1 0 0 0 0 0 0 1\n# 2\n"
                              "1 2\nA 1 0 0 0 0 0 0 1\n1\n")),
            "c.txt:3: expected stage 2 of 3, found a comment; the DAG begins in line 1\n"
            "c.txt:6: expected the number of edges, found a comment; the DAG begins in line 4\n"
            "c.txt:10: expected 1 more edges, found the file's end; the DAG begins in line 7");
}

TEST(Carbyne, NamesTheHeaderOfAnIllDag) {
  EXPECT_EQ(mistakes_in(parse(fmt::format("1 a\n{0}1 a\n{0}", one_task) +
                              "2 b\nA 1 0 0 0 0 0 0 1\nB 1 0 0 0 0 0 0 1\n2\nA B ata\nB A ata\n")),
            "c.txt:4: job: expected a name of its own, found 'a' again\n"
            "c.txt:7: stages[0].parents: expected no cycle, found stages that wait for each "
            "other: 0 -> 1 -> 0");
}

TEST(Carbyne, NamesAnEmptyFile) {
  EXPECT_EQ(mistakes_in(parse("# only this\n")), "c.txt: expected a workload, found an empty file");
}

TEST(Carbyne, ReadsTheBigBenchQueries) {
  SOMNUS_TRACE_OR_SKIP(path, "carbyne_dags/queries_bb.txt.gz");
  const auto workload = value_or_throw(read_workload(path, "carbyne-dags"));
  EXPECT_EQ(workload.jobs.size(), 21U);
  EXPECT_EQ(totals_of(workload).tasks, 15'275U);
}

TEST(Carbyne, ReadsTheSimulatorsOwnJobs) {
  SOMNUS_TRACE_OR_SKIP(path, "carbyne_dags/400Jobs.txt.gz");
  const auto workload = value_or_throw(read_workload(path, "carbyne-dags"));
  EXPECT_EQ(workload.jobs.size(), 399U);
  EXPECT_EQ(totals_of(workload).tasks, 98'114U);
  EXPECT_EQ(workload.jobs.back().submit, 1330);
}

}  // namespace
}  // namespace somnus::test
