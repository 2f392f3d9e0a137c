#include "formats/parsed.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> google2011_sample =
    FormatSample{"google2011",
                 "#Time stamp\n5,,1,0,,1,ann,3,9,0.1,0.1,0.1,0\n6,,1,0,,4,ann,3,9,0.1,0.1,0.1,0\n"};

Checked<WorkloadSpec> parse_events(std::string text, const Parameters& options = {}) {
  return parsed("google2011", text_file("events.csv", std::move(text)), options);
}

std::string event(const std::string& time, const std::string& task, int type,
                  const std::string& request = "0.5,0.25") {
  return fmt::format("{},,{},3,{},ann=,2,9,{},0.1,0\n", time, task, type, request);
}

TEST(Google2011, TakesATaskFromItsLastScheduleToItsFinish) {
  const auto workload = value_or_throw(parse_events(
      "# time, ...\n" + event("600000000", "7,0", 0) + event("600000000", "7,1", 0) +
      event("601000000", "7,0", 1) + event("602000000", "7,1", 1) +
      event("602500000", "8,0", 0, ",") + event("603000000", "7,0", 2) +
      event("604000000", "7,0", 0) + event("605000000", "7,0", 1) + event("606500000", "7,0", 4) +
      event("607000000", "8,0", 1, ",") + event("608000000", "7,1", 8, "0.5,0.125") +
      event("609000000", "7,1", 4) + event("609000000", "8,0", 4)));
  EXPECT_EQ(native_text(workload),
            R"({"somnus_workload": 1, "name": "events.csv", "resources": ["cpu", "mem"]}
{"job": "7", "user": "ann=", "submit": 0, "queue": "priority_9", "stages": [{"stage": 0, "durations": [1.5], "demand": {"cpu": 0.5, "mem": 0.25}}, {"stage": 1, "durations": [7], "demand": {"cpu": 0.5, "mem": 0.125}}]}
{"job": "8", "user": "ann=", "submit": 2.5, "queue": "priority_9", "durations": [2]}
)");
}

TEST(Google2011, LeavesOutAndCountsWhatDidNotFinishOrBeganBeforeTheTrace) {
  const std::string rows =
      event("0", "1,0", 0) + event("0", "1,0", 1) + event("5000000", "1,0", 4) +  // began before
      event("0", "1,1", 0) + event("1000000", "1,1", 1) + event("2000000", "1,1", 5) +  // killed
      event("1000000", "2,0", 0) + event("2000000", "2,0", 1) + event("3000000", "2,0", 4) +
      event("1000000", "2,1", 0) + event("1000000", "2,1", 1) +
      event("9223372036854775807", "2,1", 4);  // after the trace
  const auto workload = value_or_throw(parse_events(rows));
  EXPECT_EQ(workload.name,
            "events.csv (tasks that did not finish left out: 3; jobs without others: 1)");
  ASSERT_EQ(workload.jobs.size(), 1U);
  EXPECT_EQ(workload.jobs[0].stages[0].durations, std::vector{1.0});
}

TEST(Google2011, KeepsTheFirstJobs) {
  const std::string rows = event("5000000", "1,0", 0) + event("6000000", "1,0", 1) +
                           event("7000000", "1,0", 4) + event("1000000", "2,0", 0) +
                           event("2000000", "2,0", 1) + event("3000000", "2,0", 4);
  EXPECT_EQ(value_or_throw(parse_events(rows)).jobs.size(), 2U);
  const auto workload = value_or_throw(parse_events(rows, {{"jobs", 1}}));
  ASSERT_EQ(workload.jobs.size(), 1U);
  EXPECT_EQ(workload.jobs[0].job, "2");
}

TEST(Google2011, NamesEveryMistakeAtItsPlace) {
  EXPECT_EQ(mistakes_in(parse_events(event("x", ",", 9, "-1,y") + "1,,2\n" +
                                     event("9000000", "1,0", 1) + event("8000000", "1,0", 4))),
            "events.csv:1:1: time: expected microseconds, found 'x'\n"
            "events.csv:1:4: job_id: expected a number, found ''\n"
            "events.csv:1:5: task_index: expected a whole number, found ''\n"
            "events.csv:1:8: event_type: expected an event's number, 0 to 8, found '9'\n"
            "events.csv:1:19: cpu_request: expected a share of the largest machine, or nothing, "
            "found '-1'\n"
            "events.csv:1:22: memory_request: expected a share of the largest machine, or "
            "nothing, found 'y'\n"
            "events.csv:2: expected 13 cells, found 3\n"
            "events.csv:4:1: time: expected 0 to 8300000 s, found -1 after the task was "
            "scheduled; rows stand in order of time");
}

TEST(Google2011, NamesFilesWithoutTasks) {
  EXPECT_EQ(mistakes_in(parse_events("# only this\n")),
            "events.csv: expected a workload, found no row");
  EXPECT_EQ(mistakes_in(parse_events(event("1", "1,0", 0))),
            "events.csv: expected at least one task that was scheduled and finished, found none");
}

TEST(Google2011, IsDetectedFromTheFirstRow) {
  EXPECT_TRUE(looks_like("google2011", event("1", "1,0", 0)));
  EXPECT_TRUE(looks_like("google2011", "#a\n#b\n" + event("1", "1,0", 0)));
  EXPECT_FALSE(looks_like("google2011", "# 0\n1 0\nMap 5 0.2 0.2 0 0 0 0 3\n0\n"));
  EXPECT_FALSE(looks_like("google2011", "#"));
  EXPECT_FALSE(looks_like("google2011", ""));
}

}  // namespace
}  // namespace somnus::test
