#include "formats/parsed.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

WorkloadSpec native_of(const std::string& jobs, const std::string& header = "") {
  return value_or_throw(
      parse_native(text_file("w.jsonl", R"({"somnus_workload": 1)" + header + "}\n" + jobs)));
}

std::string jobs_of(const WorkloadSpec& workload) {
  const std::string text = native_text(workload);
  return text.substr(text.find('\n') + 1);
}

constexpr const char* all_keys =
    R"({"job": "a", "user": "ann, \"A\"", "submit": 0, "weight": 2, "stages": [{"stage": 1, "durations": [3, 2.5], "demand": {"cpu": 1}, "affinity": [1]}, {"stage": 7, "parents": [1], "durations": [0.25]}]}
{"job": "b", "submit": 0.5, "estimate": 9, "app": "x", "curve": [0.1, 0, 1, 0.1], "durations": [2], "first": [2.5]}
)";

TEST(ExportTr, WritesWhatItsReaderReads) {
  const WorkloadSpec workload = native_of(
      R"({"job": "0", "submit": 0, "durations": [1.5, 2]}
{"job": "1", "submit": 0.1, "tasks": 3, "duration": 4}
)");
  const Exported exported = value_or_throw(export_workload(workload, "tr", "w.jsonl"));
  EXPECT_EQ(exported.text, "0 2 1.75 1.5 2\n0.1 3 4 4 4 4\n");
  EXPECT_TRUE(exported.lost.empty());
  const auto again = value_or_throw(parsed("tr", text_file("w.tr", exported.text)));
  EXPECT_EQ(jobs_of(again), jobs_of(workload));
}

TEST(ExportTr, RefusesByNameWhatALineCannotSay) {
  const WorkloadSpec workload = native_of(std::string(all_keys) +
                                              R"({"job": "c", "submit": 2, "work": 9}
{"job": "d", "submit": 2, "after": "c", "durations": [1]}
)",
                                          R"(, "resources": ["cpu"])");
  EXPECT_EQ(mistakes_in(export_workload(workload, "tr", "w.jsonl")),
            "w.jsonl: job 'a': expected one stage, found 2\n"
            "w.jsonl: job 'c': expected tasks, found divisible work, which a partitioner cuts\n"
            "w.jsonl: job 'd': expected a time of submit, found one that follows job 'c'");
  EXPECT_EQ(mistakes_in(export_workload(workload, "csv", "w.jsonl")),
            "w.jsonl: job 'c': expected tasks, found divisible work, which a partitioner cuts\n"
            "w.jsonl: job 'd': expected a time of submit, found one that follows job 'c'");
  EXPECT_EQ(mistakes_in(export_workload(workload, "swf", "w.jsonl")),
            "w.jsonl: job 'c': expected tasks, found divisible work, which a partitioner cuts");
}

TEST(ExportTr, SaysWhatIsLost) {
  const WorkloadSpec workload = native_of(
      R"({"job": "a", "user": "ann", "queue": "q", "app": "x", "submit": 0, "estimate": 3, "warmup": 2, "durations": [1], "demand": {"cpu": 1}, "affinity": [0], "progress": [1]}
)",
      R"(, "resources": ["cpu"], "users": {"ann": 2})");
  EXPECT_EQ(
      value_or_throw(export_workload(workload, "tr", "w.jsonl")).lost,
      (std::vector<std::string>{"names of jobs", "users", "queues", "apps", "weights", "estimates",
                                "demands", "affinity", "warm-up of slots", "curves of progress"}));
  EXPECT_EQ(value_or_throw(export_workload(workload, "csv", "w.jsonl")).lost,
            (std::vector<std::string>{"weights of users", "affinity", "warm-up of slots",
                                      "curves of progress"}));
}

TEST(ExportCsv, WritesATaskARow) {
  const WorkloadSpec workload = native_of(all_keys, R"(, "resources": ["cpu"])");
  const Exported exported = value_or_throw(export_workload(workload, "csv", "w.jsonl"));
  EXPECT_EQ(exported.text,
            "job,user,queue,submit,stage,parents,duration,app,weight,estimate,demand.cpu\n"
            "a,\"ann, \"\"A\"\"\",default,0,1,,3,,2,,1\n"
            "a,\"ann, \"\"A\"\"\",default,0,1,,2.5,,2,,1\n"
            "a,\"ann, \"\"A\"\"\",default,0,7,1,0.25,,2,,0\n"
            "b,default,default,0.5,0,,2,x,1,9,0\n");
  EXPECT_EQ(exported.lost,
            (std::vector<std::string>{"affinity", "warm-up of slots", "curves of progress"}));
}

TEST(ExportCsv, WritesWhatItsReaderReads) {
  const WorkloadSpec workload = native_of(
      R"({"job": "a\nb", "user": " ann", "queue": "q|r", "submit": 0, "app": "x;y", "weight": 2.5, "estimate": 7.25, "stages": [{"stage": 4, "durations": [3, 2.5, 0.1], "demand": {"cpu": 1}}, {"stage": 1, "durations": [1]}, {"stage": 9, "parents": [4, 1], "tasks": 2, "duration": 0.25, "demand": {"a,b": 0.5}}]}
{"job": "c", "submit": 3.5, "durations": [8300000]}
)",
      R"(, "resources": ["a,b", "cpu"])");
  const Parameters mapping = {
      {"rows", "task"},         {"submit", "submit"},
      {"duration", "duration"}, {"job", "job"},
      {"user", "user"},         {"queue", "queue"},
      {"app", "app"},           {"weight", "weight"},
      {"estimate", "estimate"}, {"stage", "stage"},
      {"parents", "parents"},   {"demand", Table{{"a,b", "demand.a,b"}, {"cpu", "demand.cpu"}}}};
  const Exported exported = value_or_throw(export_workload(workload, "csv", "w.jsonl"));
  const auto again = value_or_throw(parsed("csv", text_file("w.csv", exported.text), mapping));
  EXPECT_EQ(jobs_of(again), jobs_of(workload));
}

TEST(ExportSwf, WritesWhatItsReaderReads) {
  WorkloadSpec workload = native_of(
      R"({"job": "7", "user": "user_3", "queue": "queue_1", "app": "app_9", "submit": 0, "estimate": 40, "tasks": 2, "duration": 15}
{"job": "12", "submit": 2.5, "durations": [0.5]}
)");
  const std::string one_column = "that estimates are no time limits: swf has one column for both";
  EXPECT_EQ(
      value_or_throw(export_workload(workload, "swf", "w.jsonl")).lost,
      (std::vector<std::string>{
          "that tasks are independent: who reads swf takes jobs for rigid ones", one_column}));
  workload.rigid = true;
  const Exported exported = value_or_throw(export_workload(workload, "swf", "w.jsonl"));
  EXPECT_EQ(exported.lost, std::vector<std::string>{one_column});
  EXPECT_TRUE(looks_like("swf", exported.text));
  const auto again =
      value_or_throw(parsed("swf", text_file("w.swf", exported.text), {{"rigid", false}}));
  EXPECT_EQ(jobs_of(again), jobs_of(workload));
}

TEST(ExportSwf, WritesGangsAndLimitsWhichItsReaderReads) {
  const WorkloadSpec workload = native_of(
      R"({"job": "7", "submit": 0, "estimate": 40, "limit_s": 20, "tasks": 2, "duration": 15, "gang": true}
{"job": "12", "submit": 2.5, "durations": [0.5], "gang": true}
)");
  const Exported exported = value_or_throw(export_workload(workload, "swf", "w.jsonl"));
  EXPECT_TRUE(exported.lost.empty());
  const auto again = value_or_throw(parsed("swf", text_file("w.swf", exported.text)));
  EXPECT_EQ(jobs_of(again), jobs_of(workload));
}

TEST(ExportSwf, KeepsTheWidthAndTheTimeOfAJob) {
  const WorkloadSpec workload = native_of(
      R"({"job": "a", "user": "ann", "submit": 0, "stages": [{"stage": 5, "parents": [1, 2], "tasks": 3, "duration": 10}, {"stage": 1, "durations": [1, 4]}, {"stage": 2, "durations": [3]}]}
{"job": "b", "user": "b\nob", "queue": "batch", "submit": 1, "after": "a", "think": 2, "durations": [1, 2]}
)",
      R"(, "name": "two\njobs")");
  const Exported exported = value_or_throw(export_workload(workload, "swf", "w.jsonl"));
  EXPECT_EQ(exported.text,
            "; Version: 2.2\n; Computer: emulated by Somnus\n; Note: workload two jobs\n"
            "; MaxJobs: 2\n; MaxRecords: 2\n; Queue: 1 batch\n"
            "; Note: user 1 is ann\n; Note: user 2 is b ob\n"
            "1 0 -1 14 3 -1 -1 3 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n"
            "2 1 -1 2 2 -1 -1 2 -1 -1 1 2 -1 -1 1 -1 1 2\n");
  EXPECT_EQ(exported.lost,
            (std::vector<std::string>{
                "names of jobs", "names of users", "names of queues",
                "that tasks are independent: who reads swf takes jobs for rigid ones",
                "stages: a job has the tasks of its widest and the time of all",
                "times of tasks that differ: the longest counts"}));
}

TEST(Exports, SuggestTheNameThatWasMeant) {
  const WorkloadSpec workload = native_of(R"({"job": "a", "submit": 0, "durations": [1]})");
  EXPECT_EQ(mistakes_in(export_workload(workload, "cvs", "w.jsonl")),
            "format: expected a format to export to, found 'cvs'; did you mean 'csv'?");
  for (const Export& each : exports()) {
    EXPECT_EQ(mistakes_in(export_workload(workload, std::string(each.name), "w")), "none");
  }
}

TEST(Exports, OfARealLogAreTheLog) {
  SOMNUS_TRACE_OR_SKIP(path, "swf/NASA-iPSC-1993-3.1-cln.swf.gz");
  const WorkloadSpec log = value_or_throw(read_workload(path));
  const Exported exported = value_or_throw(export_workload(log, "swf", "log"));
  EXPECT_TRUE(exported.lost.empty());
  EXPECT_EQ(jobs_of(value_or_throw(parsed("swf", text_file("w.swf", exported.text)))),
            jobs_of(log));
}

}  // namespace
}  // namespace somnus::test
