#include "formats/parsed.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> sls_sample =
    FormatSample{"sls",
                 "{\"job.id\": \"a\",\n\"job.tasks\": [{\"duration.ms\": 5}]}\n{\"job.tasks\":\n"
                 "[{\"duration.ms\": 7}]}"};

Checked<WorkloadSpec> parse_jobs(std::string text) {
  return parsed("sls", text_file("sls.json", std::move(text)));
}

constexpr std::string_view two_jobs = R"({
  "am.type": "mapreduce", "job.start.ms": 105204, "job.end.ms": 197256,
  "job.queue.name": "q", "job.id": "job_2", "job.user": "ann",
  "job.tasks": [
    {"container.type": "reduce", "container.start.ms": "1000", "container.end.ms": "3500"},
    {"container.host": "/r/n1", "container.start.ms": 6664, "container.end.ms": 23707,
     "container.priority": 20, "container.type": "map"},
    {"count": 2, "duration.ms": 500, "container.type": "map"},
    {"duration.ms": 250, "container.type": "map", "container.memory": 2048, "container.vcores": 3}]
}
{"yarn.sls.am.type": "dag", "job.start.ms": 100204, "job.count": 2, "job.id": "d", "job.tasks": [
  {"duration.ms": 1, "container.type": "map"}, {"duration.ms": 2, "container.type": "reduce"}]}
)";

TEST(Sls, MakesAStageOfContainersOfOneTypeAndDemand) {
  EXPECT_EQ(native_text(value_or_throw(parse_jobs(std::string(two_jobs)))),
            R"({"somnus_workload": 1, "name": "sls.json", "resources": ["cpu", "mem_gb"]}
{"job": "d", "submit": 0, "stages": [{"stage": 0, "durations": [0.001], "demand": {"cpu": 1, "mem_gb": 1}}, {"stage": 1, "durations": [0.002], "demand": {"cpu": 1, "mem_gb": 1}}]}
{"job": "d-2", "submit": 0, "stages": [{"stage": 0, "durations": [0.001], "demand": {"cpu": 1, "mem_gb": 1}}, {"stage": 1, "durations": [0.002], "demand": {"cpu": 1, "mem_gb": 1}}]}
{"job": "job_2", "user": "ann", "submit": 5, "queue": "q", "stages": [{"stage": 0, "parents": [1, 2], "durations": [2.5], "demand": {"cpu": 1, "mem_gb": 1}}, {"stage": 1, "durations": [17.043, 0.5, 0.5], "demand": {"cpu": 1, "mem_gb": 1}}, {"stage": 2, "durations": [0.25], "demand": {"cpu": 3, "mem_gb": 2}}]}
)");
}

TEST(Sls, NamesEveryMistakeAtItsPlace) {
  EXPECT_EQ(mistakes_in(parse_jobs(R"({"job.id": "a",
 "job.tasks": [{"container.start.ms": 5}, 3,
   {"duration.ms": "x"}, {"duration.ms": -4, "count": 0.5, "container.vcores": -1}]}
{"job.start.ms": -1, "job.tasks": []} nonsense
{"job.id": 7}
{"job.tasks": [)")),
            "sls.json:2:16: [\"job.tasks\"][0][\"container.end.ms\"]: expected this key, found "
            "none\n"
            "sls.json:2:43: [\"job.tasks\"][1]: expected an object in braces, found a number\n"
            "sls.json:3:20: [\"job.tasks\"][2][\"duration.ms\"]: expected a number, found 'x'\n"
            "sls.json:3:55: [\"job.tasks\"][3].count: expected a whole number from 1 to 100000000, "
            "found 0.5\n"
            "sls.json:3:42: [\"job.tasks\"][3][\"duration.ms\"]: expected 0 to 8300000 s, found "
            "-0.004 of duration\n"
            "sls.json:3:80: [\"job.tasks\"][3][\"container.vcores\"]: expected 0 or more, found "
            "-1\n"
            "sls.json:4:18: [\"job.start.ms\"]: expected 0 or more, found -1\n"
            "sls.json:4:35: [\"job.tasks\"]: expected at least one task, found none\n"
            "sls.json:4:40: not JSON: syntax error while parsing value - invalid literal; last "
            "read: 'no'\n"
            "sls.json:5:12: [\"job.id\"]: expected a string, found a number\n"
            "sls.json:5: [\"job.tasks\"]: expected this key, found none\n"
            "sls.json:6:16: not JSON: syntax error while parsing value - unexpected end of input; "
            "expected '[', '{', or a literal");
}

TEST(Sls, NamesFilesWithoutJobsAndCountsTasksBeforeItMakesRoom) {
  EXPECT_EQ(mistakes_in(parse_jobs(" \n")), "sls.json: expected a workload, found an empty file");
  EXPECT_EQ(
      mistakes_in(parse_jobs(
          R"({"job.count": 90000000, "job.tasks": [{"count": 90000000, "duration.ms": 1}]})")),
      "sls.json:1:38: [\"job.tasks\"]: expected at most 100000000 tasks in a workload");
  EXPECT_EQ(mistakes_in(parse_jobs(R"({"job.id": "a", "job.tasks": [{"duration.ms": 1}]}
{"job.id": "a", "job.tasks": [{"duration.ms": 1}]})")),
            "sls.json: jobs[1].job: expected a name of its own, found 'a' again");
}

// 2^26 jobs of 2^38 tasks are 2^64, which is 0 in 64 bits.
TEST(Sls, CountsTasksBeyond64Bits) {
  std::string tasks;
  for (int at = 0; at < 2748; ++at) tasks += R"({"count": 100000000, "duration.ms": 1},)";
  tasks += R"({"count": 77906944, "duration.ms": 1})";
  EXPECT_EQ(mistakes_in(parse_jobs(R"({"job.count": 67108864, "job.tasks": [)" + tasks + "]}")),
            "sls.json:1:38: [\"job.tasks\"]: expected at most 100000000 tasks in a workload");
}

TEST(Sls, IsDetectedFromItsKeys) {
  EXPECT_TRUE(looks_like("sls", two_jobs));
  EXPECT_FALSE(looks_like("sls", "{\"somnus_workload\": 1}"));
}

}  // namespace
}  // namespace somnus::test
