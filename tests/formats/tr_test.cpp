#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> tr_sample = FormatSample{"tr", "0 1 1 1"};

Checked<WorkloadSpec> parse_lines(std::string text) {
  return parsed("tr", text_file("t.tr", std::move(text)));
}

TEST(Tr, ReadsOneOrTwoBlanksAndShiftsToTheFirstSubmit) {
  const auto workload = value_or_throw(parse_lines("0.444 2 13  9  16\r\n0.602\t1 5 5"));
  EXPECT_EQ(workload.name, "t.tr");
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[0].job, "0");
  EXPECT_EQ(workload.jobs[0].submit, 0);
  EXPECT_EQ(workload.jobs[0].stages[0].durations, (std::vector{9.0, 16.0}));
  EXPECT_EQ(workload.jobs[1].job, "1");
  EXPECT_EQ(workload.jobs[1].submit, 0.158);
}

TEST(Tr, PutsJobsInOrderOfSubmitUnderTheNamesOfTheirLines) {
  const auto workload = value_or_throw(parse_lines("9 1 1 1\n7 1 1 1\n8 1 1 0\n"));
  EXPECT_EQ(workload.jobs[0].job, "1");
  EXPECT_EQ(workload.jobs[1].job, "2");
  EXPECT_EQ(workload.jobs[2].job, "0");
  EXPECT_EQ(workload.jobs[2].submit, 2);
}

TEST(Tr, NamesEveryMistakeAtItsPlace) {
  EXPECT_EQ(mistakes_in(parse_lines("0 2 1 1\n"
                                    "x 1 1 1\n"
                                    "-1 1 1 1\n"
                                    "0 0 1\n"
                                    "0 1 mean 1\n"
                                    "0 3 1 1 -2 nan\n"
                                    "0 1 1 1e300\n"
                                    "5\n")),
            "t.tr:1:8: tasks: expected 2 durations, found 1\n"
            "t.tr:2:1: submit: expected a number, found 'x'\n"
            "t.tr:3:1: submit: expected 0 s or more, found '-1'\n"
            "t.tr:4:3: tasks: expected a whole number from 1 to 100000000, found '0'\n"
            "t.tr:5:5: mean: expected a number, found 'mean'\n"
            "t.tr:6:9: duration: expected 0 to 8300000 s, found -2\n"
            "t.tr:6:12: duration: expected a number, found 'nan'\n"
            "t.tr:7:7: duration: expected 0 to 8300000 s (96 days: a log keeps no longer time to "
            "the nanosecond), found 1e+300\n"
            "t.tr:8:2: tasks: expected a whole number from 1 to 100000000, found the line's end\n"
            "t.tr:8:2: mean: expected a number, found the line's end");
}

TEST(Tr, NamesASubmitTooLongAfterTheFirst) {
  EXPECT_EQ(mistakes_in(parse_lines("0 1 1 1\n1000000001 1 1 1\n")),
            "t.tr:2:1: submit: expected 0 to 1000000000 s, found 1000000001 after the first job's");
}

TEST(Tr, CountsDurationsThatALineDoesNotClaim) {
  EXPECT_EQ(mistakes_in(parse_lines("0 1 1 5 6 7\n")),
            "t.tr:1:12: tasks: expected 1 durations, found 3");
}

TEST(Tr, NamesAnEmptyFile) {
  EXPECT_EQ(mistakes_in(parse_lines("\n\n")), "t.tr: expected a workload, found an empty file");
}

TEST(Tr, ReadsTheGoogleTrace) {
  SOMNUS_TRACE_OR_SKIP(path, "hawk_traces/GOOG_subtrace.tr.gz");
  const auto workload = value_or_throw(read_workload(path, "tr"));
  EXPECT_EQ(workload.jobs.size(), 10'000U);
  EXPECT_EQ(totals_of(workload).tasks, 312'558U);
  EXPECT_EQ(workload.jobs.back().submit, 1499997.0 - 1406471.0);
}

TEST(Tr, ReadsTheBenchmarkTrace) {
  SOMNUS_TRACE_OR_SKIP(path, "bench/w543k.tr.gz");
  const auto workload = value_or_throw(read_workload(path, "tr"));
  EXPECT_EQ(workload.jobs.size(), 17'000U);
  EXPECT_EQ(totals_of(workload).tasks, 543'000U);
}

TEST(Tr, ReadsTheYahooTraces) {
  SOMNUS_TRACE_OR_SKIP(path, "hawk_traces/NYH_trace50.tr.gz");
  const auto workload = value_or_throw(read_workload(path, "tr"));
  EXPECT_EQ(workload.jobs.size(), 5'001U);
  EXPECT_EQ(totals_of(workload).tasks, 100'350U);
}

}  // namespace
}  // namespace somnus::test
