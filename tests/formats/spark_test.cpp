#include "formats/parsed.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> spark_sample = FormatSample{
    "spark",
    R"({"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":5,"Stage Infos":[{"Stage ID":0,"Number of Tasks":1}]}
{"Event":"SparkListenerTaskEnd","Stage ID":0,"Task End Reason":{"Reason":"Success"},)"
    R"("Task Info":{"Index":0,"Launch Time":5,"Finish Time":7}}
{"Event":"SparkListenerJobEnd","Job ID":0,"Completion Time":7}
{"Event":"SparkListenerApplicationEnd"})"};

constexpr std::string_view app_end = "{\"Event\":\"SparkListenerApplicationEnd\"}\n";

Checked<WorkloadSpec> parse_log(std::string text, const Parameters& options = {}) {
  return parsed("spark", text_file("app-1", std::move(text) + std::string(app_end)), options);
}

constexpr std::string_view start =
    R"({"Event":"SparkListenerLogStart","Spark Version":"3.5.0"}
{"Event":"SparkListenerApplicationStart","App Name":"KMeans","App ID":"app-1","Timestamp":1000,"User":"ann"}
)";

std::string stage_info(int stage, const std::string& parents, int tasks = 1, int attempt = 0) {
  return fmt::format(
      R"({{"Stage ID":{},"Stage Attempt ID":{},"Number of Tasks":{},"Parent IDs":[{}]}})", stage,
      attempt, tasks, parents);
}

std::string submitted(const std::string& stage) {
  return fmt::format("{{\"Event\":\"SparkListenerStageSubmitted\",\"Stage Info\":{}}}\n", stage);
}

std::string job_start(int job, int at_ms, const std::string& stages,
                      const std::string& pool = "default") {
  return fmt::format(
             R"({{"Event":"SparkListenerJobStart","Job ID":{},"Submission Time":{},"Stage Infos":[{}],"Properties":{{"spark.scheduler.pool":"{}"}}}})",
             job, at_ms, stages, pool) +
         "\n";
}

std::string job_end(int job, int at_ms, const std::string& result = "JobSucceeded") {
  return fmt::format(
             R"({{"Event":"SparkListenerJobEnd","Job ID":{},"Completion Time":{},"Job Result":{{"Result":"{}"}}}})",
             job, at_ms, result) +
         "\n";
}

struct Ran {
  int stage = 0;
  int index = 0;
  int from_ms = 0;
  int to_ms = 0;
  std::string executor = "1";
  std::string reason = "Success";
  int attempt = 0;  // of the stage
};

std::string task_end(const Ran& ran) {
  return fmt::format(
             R"({{"Event":"SparkListenerTaskEnd","Stage ID":{},"Stage Attempt ID":{},"Task End Reason":{{"Reason":"{}"}},"Task Info":{{"Index":{},"Launch Time":{},"Executor ID":"{}","Finish Time":{}}}}})",
             ran.stage, ran.attempt, ran.reason, ran.index, ran.from_ms, ran.executor, ran.to_ms) +
         "\n";
}

// Job 1's stage 2 is job 0's stage 1 again, whose output is there.
const std::string three_starts =
    std::string(start) +
    job_start(0, 2000, stage_info(0, "", 2) + "," + stage_info(1, "0"), "gold") +
    task_end({.stage = 0, .index = 1, .from_ms = 2100, .to_ms = 2600}) +
    task_end({.stage = 0, .index = 0, .from_ms = 2100, .to_ms = 2700, .executor = "2"}) +
    task_end({.stage = 0, .index = 0, .from_ms = 2200, .to_ms = 2900}) +  // too late
    task_end({.stage = 1, .from_ms = 2700, .to_ms = 2800, .reason = "ExceptionFailure"}) +
    task_end({.stage = 1, .from_ms = 2800, .to_ms = 3000}) + job_end(0, 3000) +
    job_start(1, 3500, stage_info(1, "0") + "," + stage_info(2, "") + "," + stage_info(3, "1,2")) +
    task_end({.stage = 3, .from_ms = 3600, .to_ms = 3700}) + job_end(1, 3700) +
    job_start(2, 4000, stage_info(4, "")) + job_end(2, 4001);

TEST(Spark, MakesAJobOfEachSparkJob) {
  const auto workload = value_or_throw(parse_log(three_starts));
  EXPECT_EQ(
      native_text(workload),
      R"_({"somnus_workload": 1, "name": "app-1 (failed or second attempts left out: 2; jobs without tasks left out: 1)"}
{"job": "job_0", "user": "ann", "submit": 0, "queue": "gold", "app": "KMeans", "stages": [{"stage": 0, "durations": [0.6, 0.5]}, {"stage": 1, "parents": [0], "durations": [0.2]}]}
{"job": "job_1", "user": "ann", "submit": 1.5, "app": "KMeans", "stages": [{"stage": 3, "durations": [0.1]}]}
)_");
}

TEST(Spark, MakesOneJobOfAnApplicationOnRequest) {
  const auto workload = value_or_throw(parse_log(three_starts, {{"one_job", true}}));
  ASSERT_EQ(workload.jobs.size(), 1U);
  const JobSpec& job = workload.jobs[0];
  EXPECT_EQ(job.job, "app-1");
  ASSERT_EQ(job.stages.size(), 3U);
  EXPECT_EQ(job.stages[1].parents, std::vector{0U});
  EXPECT_EQ(job.stages[2].parents, std::vector{1U}) << "job 0 had ended before job 1 came";
}

TEST(Spark, HasJobsSideBySideThatWereSoInTheApplication) {
  const auto workload = value_or_throw(
      parse_log(job_start(0, 1000, stage_info(0, "")) + job_start(1, 1500, stage_info(1, "")) +
                    task_end({.stage = 0, .from_ms = 1000, .to_ms = 2000}) + job_end(0, 2000) +
                    task_end({.stage = 1, .from_ms = 1500, .to_ms = 2000}) + job_end(1, 2000),
                {{"one_job", true}}));
  EXPECT_EQ(native_text(workload), R"({"somnus_workload": 1, "name": "app-1"}
{"job": "application", "submit": 0, "stages": [{"stage": 0, "durations": [1]}, {"stage": 1, "durations": [0.5]}]}
)");
}

TEST(Spark, TakesFirstTasksOfExecutorsForColdOnesOnRequest) {
  const std::string log = job_start(0, 0, stage_info(0, "", 4) + "," + stage_info(1, "0")) +
                          task_end({.stage = 0, .index = 0, .from_ms = 0, .to_ms = 4000}) +
                          task_end({.stage = 0, .index = 1, .from_ms = 0, .to_ms = 5000}) +
                          task_end({.stage = 0, .index = 2, .from_ms = 4000, .to_ms = 5000}) +
                          task_end({.stage = 0, .index = 3, .from_ms = 5000, .to_ms = 7000}) +
                          task_end({.stage = 1, .index = 0, .from_ms = 7000, .to_ms = 10000}) +
                          job_end(0, 10000);
  const auto workload = value_or_throw(parse_log(log, {{"cold", true}}));
  const StageSpec& map = workload.jobs[0].stages[0];
  EXPECT_EQ(map.durations, (std::vector<double>{1, 2, 1, 2}));
  EXPECT_EQ(map.fresh, (std::vector<double>{4, 5, 4, 5}));
  EXPECT_EQ(map.first, map.fresh) << "none was first of its stage on a warm executor";
  const StageSpec& reduce = workload.jobs[0].stages[1];
  EXPECT_EQ(reduce.first, std::vector{3.0});
  EXPECT_EQ(reduce.durations, reduce.first);
  EXPECT_EQ(reduce.fresh, reduce.first);
  EXPECT_EQ(value_or_throw(parse_log(log)).jobs[0].stages[0].durations,
            (std::vector<double>{4, 5, 1, 2}));
}

TEST(Spark, NamesEveryMistakeAtItsPlace) {
  const auto parsed = parse_log(
      "{\"no\":1}\n[]\n" + job_start(0, -5, stage_info(0, "-1")) + job_start(0, 5, "{}") +
      task_end({.stage = 7}) + task_end({.stage = 0, .from_ms = 9, .to_ms = 4}) +
      R"({"Event":"SparkListenerTaskEnd","Stage ID":0,"Task End Reason":{}})" + "\n" +
      R"({"Event":"SparkListenerTaskEnd","Stage ID":0,"Task End Reason":{"Reason":"Success"},"Task Info":{"Launch Time":"x","Finish Time":5,"Index":0}})" +
      "\n{\"Event\":\n");
  EXPECT_EQ(
      mistakes_in(parsed),
      "app-1:1: Event: expected this key, found none\n"
      "app-1:2: expected an object in braces, found an array\n"
      "app-1:3:63: [\"Submission Time\"]: expected 0 or more, found -5\n"
      "app-1:3:150: [\"Stage Infos\"][0][\"Parent IDs\"][0]: expected a whole number from 0 to "
      "4000000000, found -1\n"
      "app-1:4:80: [\"Stage Infos\"][0][\"Stage ID\"]: expected this key, found none\n"
      "app-1:4:43: [\"Job ID\"]: expected a number of its own, found 0 again\n"
      "app-1:5:44: [\"Stage ID\"]: expected a stage of a job that has started, found 7; put "
      "the parts of a rolled log one behind the other; if events were lost, skip_broken = true "
      "leaves such tasks out\n"
      "app-1:6:177: [\"Task Info\"][\"Finish Time\"]: expected 0 to 8300000 s, found -0.005 "
      "after Launch Time\n"
      "app-1:7:64: [\"Task End Reason\"].Reason: expected this key, found none\n"
      "app-1:8:112: [\"Task Info\"][\"Launch Time\"]: expected a number, found a string\n"
      "app-1:9:10: not JSON: syntax error while parsing value - unexpected end of input; "
      "expected '[', '{', or a literal");
}

TEST(Spark, NamesLogsWithoutTasks) {
  EXPECT_EQ(mistakes_in(parsed("spark", text_file("app-1", "\n"))),
            "app-1: expected a workload, found an empty file");
  EXPECT_EQ(mistakes_in(parse_log(std::string(start))),
            "app-1: expected at least one task of a job that succeeded, found none");
}

// Job 0 is whole; job 1 lacks its end and a task, job 2 a task, job 3 failed before its stage 4.
const std::string partly_lost =
    std::string(start) + job_start(0, 0, stage_info(0, "", 1)) +
    task_end({.stage = 0, .from_ms = 0, .to_ms = 10}) + job_end(0, 10) +
    job_start(1, 20, stage_info(1, "", 2)) + task_end({.stage = 1, .from_ms = 20, .to_ms = 30}) +
    job_start(2, 40, stage_info(2, "", 3)) + submitted(stage_info(2, "", 3)) +
    task_end({.stage = 2, .from_ms = 40, .to_ms = 50}) + job_end(2, 60) +
    job_start(3, 70, stage_info(3, "") + "," + stage_info(4, "3")) +
    task_end({.stage = 3, .from_ms = 70, .to_ms = 80}) + job_end(3, 90, "JobFailed");

TEST(Spark, NamesJobsThatAreNotWhole) {
  EXPECT_EQ(
      mistakes_in(parse_log(partly_lost)),
      "app-1:6: [\"Job ID\"]: expected that the job ends and succeeds, found 1 of 2 tasks of "
      "job 1; skip_broken = true leaves the job out\n"
      "app-1:8: [\"Job ID\"]: expected that the job finishes all its tasks, found 1 of 3 tasks "
      "of job 2; skip_broken = true leaves the job out\n"
      "app-1:12: [\"Job ID\"]: expected that the job ends and succeeds, found 1 of 2 tasks of "
      "job 3; skip_broken = true leaves the job out");
}

TEST(Spark, LeavesOutWhatIsNotWholeOnRequest) {
  const std::string lost = task_end({.stage = 9, .from_ms = 95, .to_ms = 99});
  const std::string cut = "{\"Event\":\"SparkListenerTaskE";
  const auto workload = value_or_throw(
      parsed("spark", text_file("app-1", partly_lost + lost + cut), {{"skip_broken", true}}));
  ASSERT_EQ(workload.jobs.size(), 1U);
  EXPECT_EQ(workload.jobs[0].job, "job_0");
  EXPECT_EQ(workload.name,
            "app-1 (jobs that are not whole, with 3 of 7 tasks, left out: 3; tasks of unknown "
            "stages left out: 1; lines that are not JSON left out: 1; the log ends before the "
            "application)");
}

// Stage 0's first attempt lost what it had to read after one of three tasks; another of its tasks
// goes on, so that the second attempt runs one of its two only. One task has a copy, and fails
// once.
TEST(Spark, TakesRetriedStagesForWhole) {
  const std::string log =
      job_start(0, 0, stage_info(0, "", 3)) + submitted(stage_info(0, "", 3)) +
      task_end({.stage = 0, .index = 0, .from_ms = 0, .to_ms = 10}) +
      task_end({.stage = 0, .index = 1, .from_ms = 0, .to_ms = 11, .reason = "FetchFailed"}) +
      submitted(stage_info(0, "", 2, 1)) +
      task_end(
          {.stage = 0, .index = 0, .from_ms = 20, .to_ms = 25, .reason = "Failed", .attempt = 1}) +
      task_end({.stage = 0, .index = 2, .from_ms = 0, .to_ms = 30}) +
      task_end({.stage = 0, .index = 0, .from_ms = 26, .to_ms = 40, .attempt = 1}) +
      task_end({.stage = 0, .index = 0, .from_ms = 26, .to_ms = 41, .attempt = 1}) + job_end(0, 42);
  EXPECT_EQ(value_or_throw(parse_log(log)).jobs[0].stages[0].durations,
            (std::vector{0.01, 0.03, 0.014}));
  const std::string lost =
      log.substr(0, log.rfind(task_end({.stage = 0, .index = 2, .from_ms = 0, .to_ms = 30}))) +
      job_end(0, 42);
  EXPECT_TRUE(
      mistakes_in(parse_log(lost))
          .starts_with(
              "app-1:1: [\"Job ID\"]: expected that the job finishes all its tasks, found 0 of 2"));
}

TEST(Spark, ReadsNoPartOfAJobFromALogThatIsCutAnywhere) {
  const std::string log = three_starts + std::string(app_end);
  const auto all = value_or_throw(parsed("spark", text_file("app-1", log)));
  for (std::size_t bytes = 0; bytes < log.size(); ++bytes) {
    for (const bool skip : {false, true}) {
      const auto part =
          parsed("spark", text_file("app-1", log.substr(0, bytes)), {{"skip_broken", skip}});
      if (!part) continue;
      for (std::size_t job = 0; job < part->jobs.size(); ++job) {
        const auto& found = part->jobs[job].stages;
        const auto& expected = all.jobs[job].stages;
        EXPECT_TRUE(
            std::ranges::equal(found, expected, {}, &StageSpec::durations, &StageSpec::durations))
            << bytes;
      }
      EXPECT_TRUE(bytes + 1 == log.size() ||
                  part->name.ends_with("the log ends before the application)"))
          << bytes;
    }
  }
}

TEST(Spark, RefusesWhatOldVersionsDoNotLog) {
  std::string log = three_starts;
  const std::string key = ",\"Parent IDs\":[]";
  log.erase(log.find(key), key.size());
  EXPECT_EQ(
      mistakes_in(parse_log(log)),
      "app-1:3:83: [\"Stage Infos\"][0][\"Parent IDs\"]: expected this key, found none; Spark "
      "logs it from version 1.4 on");
  EXPECT_EQ(mistakes_in(parse_log("{\"Event\":\"SparkListenerJobStart\",\"Job ID\":0,\"Stage "
                                  "Infos\":[]}\n")),
            "app-1:1: [\"Submission Time\"]: expected this key, found none; Spark logs it from "
            "version 1.3 on");
}

TEST(Spark, IsDetectedFromTheFirstLine) {
  EXPECT_TRUE(looks_like("spark", start));
  EXPECT_FALSE(looks_like("spark", "{\"somnus_workload\": 1}\n" + std::string(start)));
}

}  // namespace
}  // namespace somnus::test
