#include "formats/parsed.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> swim_sample =
    FormatSample{"swim", "job0\t49\t49\t740773\t2339561\t627471\n"};

Checked<WorkloadSpec> parse_bytes(std::string text, const Parameters& options = {}) {
  return parsed("swim", text_file("fb.tsv", std::move(text)), options);
}

// Tasks of 100 bytes at 10 bytes a second, and 50 at 5.
const Parameters small = {{"map_bytes", 100},
                          {"map_bytes_per_s", 10},
                          {"reduce_bytes", 50},
                          {"reduce_bytes_per_s", 5},
                          {"task_s", 1}};

TEST(Swim, MakesMapsAndReducesOfBytes) {
  const auto workload =
      value_or_throw(parse_bytes("job1\t60\t10\t150\t60\t60\tin\tout\t\njob0\t50\t50\t80\t0\t40\n"
                                 "job2\t70\t10\t0\t0\t0\r\n",
                                 small));
  EXPECT_EQ(native_text(workload),
            R"_({"somnus_workload": 1, "name": "fb.tsv (times modelled)"}
{"job": "job0", "submit": 0, "tasks": 2, "duration": 7}
{"job": "job1", "submit": 10, "stages": [{"stage": 0, "tasks": 2, "duration": 8.5}, {"stage": 1, "parents": [0], "tasks": 3, "duration": 9}]}
{"job": "job2", "submit": 20, "durations": [1]}
)_");
}

TEST(Swim, KeepsTheFirstJobs) {
  Parameters one = small;
  one["jobs"] = 1;
  const auto workload = value_or_throw(parse_bytes("b\t60\t0\t1\t0\t0\na\t50\t0\t1\t0\t0\n", one));
  ASSERT_EQ(workload.jobs.size(), 1U);
  EXPECT_EQ(workload.jobs[0].job, "a");
}

TEST(Swim, NamesEveryMistakeAtItsPlace) {
  EXPECT_EQ(mistakes_in(parse_bytes("job0\t0\t0\t1\t0\t0\n"
                                    "job1\tx\t0\t-1\t0\tnan\n"
                                    "job2\t1 2\n"
                                    "\t1\t1\t1\t1\t1\n"
                                    "job0\t0\t0\t1\t0\t0\n"
                                    "job3\t0\t0\t1e8\t1e8\t0\n",
                                    {{"map_bytes", 1e9},
                                     {"map_bytes_per_s", 10},
                                     {"reduce_bytes", 1e9},
                                     {"reduce_bytes_per_s", 5},
                                     {"task_s", 1}})),
            "fb.tsv:2:6: submit: expected seconds, 0 or more, found 'x'\n"
            "fb.tsv:2:10: map_input: expected bytes, 0 or more, found '-1'\n"
            "fb.tsv:2:15: reduce_output: expected bytes, 0 or more, found 'nan'\n"
            "fb.tsv:3: expected 6 cells or more with tabs between, found 2\n"
            "fb.tsv:4:1: job: expected a name, found ''\n"
            "fb.tsv:5:1: job: expected a name of its own, not that of line 1, found 'job0'\n"
            "fb.tsv:6:10: map_input: expected 0 to 8300000 s (96 days: a log keeps no longer time "
            "to the nanosecond), found 10000001 a task; by the "
            "model's bytes and rates\n"
            "fb.tsv:6:14: shuffle: expected 0 to 8300000 s (96 days: a log keeps no longer time to "
            "the nanosecond), found 20000001 a task; by the model's "
            "bytes and rates");
}

TEST(Swim, NamesFilesWithoutJobsAndCountsTasksBeforeItMakesRoom) {
  EXPECT_EQ(mistakes_in(parse_bytes("\n")), "fb.tsv: expected a workload, found an empty file");
  EXPECT_EQ(mistakes_in(parse_bytes("job0\t0\t0\t1e26\t0\t0\n", {{"map_bytes_per_s", 1e18}})),
            "fb.tsv: expected at most 100000000 tasks in a workload, found 200000000");
}

TEST(Swim, IsDetectedFromTheFirstLine) {
  EXPECT_TRUE(looks_like("swim", "job0\t49\t49\t740773\t2339561\t627471\n"));
  EXPECT_FALSE(looks_like("swim", "job0\t49\t49\t740773\tx\t627471\n"));
  EXPECT_FALSE(looks_like("swim", "job\tsubmit\n"));
  EXPECT_FALSE(looks_like("swim", ""));
}

}  // namespace
}  // namespace somnus::test
