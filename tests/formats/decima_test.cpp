#include <algorithm>
#include <set>

#include "formats/parsed.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> decima_sample = FormatSample{
    "decima",
    R"({"query":7,"size_gb":50,"num_stages":1,"stages":[{"stage":0,"num_tasks":1,"parents":[],)"
    R"("spark_stage_id":[0],"executors":{"2":{"fresh":[9],"first":[9],"rest":[1]}}}]})"};

Checked<WorkloadSpec> parse_dags(std::string text, const Parameters& options = {}) {
  return parsed("decima", text_file("d.jsonl", std::move(text)), options);
}

std::string stage(int number, int tasks, const std::string& parents, const std::string& executors) {
  return fmt::format(
      R"({{"stage":{},"num_tasks":{},"parents":[{}],"spark_stage_id":[9],"executors":{{{}}}}})",
      number, tasks, parents, executors);
}

std::string dag(int query, const std::string& stages, int count) {
  return fmt::format(R"({{"query":{},"size_gb":50,"num_stages":{},"stages":[{}]}})", query, count,
                     stages) +
         "\n";
}

const std::string two = R"("2":{"fresh":[4000],"first":[3000,4000],"rest":[1000,1000]})";
const std::string five = R"("5":{"fresh":[500],"first":[500],"rest":[]})";

TEST(Decima, MakesAJobOfEachLine) {
  const auto workload =
      value_or_throw(parse_dags(dag(7, stage(0, 2, "", two) + "," + stage(1, 1, "0", two), 2) +
                                "\n" + dag(12, stage(0, 3, "", two), 1)));
  EXPECT_EQ(native_text(workload), R"({"somnus_workload": 1, "name": "d.jsonl"}
{"job": "q7-50g", "submit": 0, "stages": [{"stage": 0, "tasks": 2, "duration": 1, "fresh": [4, 4], "first": [3, 3]}, {"stage": 1, "parents": [0], "durations": [1], "fresh": [4], "first": [3]}]}
{"job": "q12-50g", "submit": 0, "tasks": 3, "duration": 1, "fresh": [4, 4, 4], "first": [3, 3, 3]}
)");
}

/// Fresh, first and nominal time of the only task.
std::vector<double> times(const std::string& executors, const Parameters& options = {}) {
  const auto workload = value_or_throw(parse_dags(dag(1, stage(0, 1, "", executors), 1), options));
  const StageSpec& only = workload.jobs[0].stages[0];
  return {only.fresh[0], only.first[0], only.durations[0]};
}

TEST(Decima, TakesTheRunWithTheFewestExecutorsOrThatManyOrTheNextFewer) {
  const std::string all = two + R"(,"10":{"fresh":[7000],"first":[7000,6000],"rest":[5000]})";
  EXPECT_EQ(times(all), (std::vector{4.0, 3.0, 1.0}));
  EXPECT_EQ(times(all, {{"executors", 1}}), (std::vector{4.0, 3.0, 1.0}));
  EXPECT_EQ(times(all, {{"executors", 9}}), (std::vector{4.0, 3.0, 1.0}));
  EXPECT_EQ(times(all, {{"executors", 10}}), (std::vector{7.0, 6.0, 5.0}));
  EXPECT_EQ(times(all, {{"executors", 99}}), (std::vector{7.0, 6.0, 5.0}));
}

TEST(Decima, FillsEmptyListsAsDecimasSimulatorDoes) {
  EXPECT_EQ(times(two + "," + five, {{"executors", 5}}), (std::vector{0.5, 3.0, 3.0}))
      << "first of fewer executors, rest as first";
  EXPECT_EQ(times(five), (std::vector{0.5, 0.5, 0.5})) << "first as fresh";
  const std::string never_fresh = R"("2":{"fresh":[],"first":[3000],"rest":[1000]})";
  EXPECT_EQ(times(never_fresh), (std::vector{4.0, 3.0, 1.0})) << "a second to warm up";
  EXPECT_EQ(times(never_fresh, {{"warmup_delay_s", 2.5}}), (std::vector{5.5, 3.0, 1.0}));
}

TEST(Decima, DrawsATasksTimesAtOneShareOfEachListByTheSeed) {
  std::string list;
  for (int at = 0; at < 100; ++at) list += fmt::format("{}{}", at > 0 ? "," : "", 99 - at);
  const std::string executors =
      fmt::format(R"("2":{{"fresh":[],"first":[{0}],"rest":[{0}]}})", list);
  const auto durations = [&](std::uint64_t seed) {
    const auto workload =
        value_or_throw(parse_dags(dag(1, stage(0, 50, "", executors), 1), {{"seed", seed}}));
    const StageSpec& only = workload.jobs[0].stages[0];
    for (std::size_t task = 0; task < 50; ++task) {
      EXPECT_EQ(only.first[task], only.durations[task]);
      EXPECT_NEAR(only.fresh[task], only.durations[task] + 1, 1e-9);
    }
    return only.durations;
  };
  EXPECT_EQ(durations(1), durations(1));
  EXPECT_NE(durations(1), durations(2));
  const auto drawn = durations(1);
  EXPECT_GT(std::set(drawn.begin(), drawn.end()).size(), 25U);
}

TEST(Decima, TellsEachMistakeWithItsLine) {
  EXPECT_EQ(mistakes_in(parse_dags("")), "d.jsonl: expected a workload, found an empty file");
  EXPECT_EQ(mistakes_in(parse_dags(
                dag(1, stage(0, 1, "", two), 1) + "{\"query\":1}\n[]\n{\n" +
                dag(1, stage(0, 0, "3", two), 2) + dag(2, stage(0, 1, "", ""), 1) +
                dag(3, stage(0, 1, "", R"("x":1,"2":{"fresh":[],"first":[],"rest":[]})"), 1) +
                dag(4, stage(0, 1, "", R"("2":{"fresh":[-1],"first":["a"]})"), 1))),
            "d.jsonl:2: size_gb: expected this key, found none\n"
            "d.jsonl:2: num_stages: expected this key, found none\n"
            "d.jsonl:2: stages: expected this key, found none\n"
            "d.jsonl:3: expected an object in braces, found an array\n"
            "d.jsonl:4:2: not JSON: syntax error while parsing object key - unexpected end of "
            "input; expected string literal\n"
            "d.jsonl:5:73: stages[0].num_tasks: expected at least one task, found 0\n"
            "d.jsonl:5:38: num_stages: expected the number of stages, 1, found 2\n"
            "d.jsonl:5: job: expected a name of its own, found 'q1-50g' again\n"
            "d.jsonl:5:86: stages[0].parents[0]: expected a stage of this job, found 3\n"
            "d.jsonl:6:121: stages[0].executors: expected durations with some number of executors, "
            "found none\n"
            "d.jsonl:7:126: stages[0].executors.x: expected a number of executors as the key, from "
            "1\n"
            "d.jsonl:7:132: stages[0].executors.2: expected durations of some task, found none\n"
            "d.jsonl:8:136: stages[0].executors.2.fresh[0]: expected 0 to 8300000 s, found -0.001\n"
            "d.jsonl:8:149: stages[0].executors.2.first[0]: expected a number, found a string\n"
            "d.jsonl:8:126: stages[0].executors.2.rest: expected this key, found none");
}

TEST(Decima, IsDetectedFromItsContentWhateverItsName) {
  const Folder folder;
  const std::string text = dag(7, stage(0, 1, "", two), 1);
  for (const char* name : {"d.jsonl", "d.txt"}) {
    const auto read = value_or_throw(read_workload(folder.file(name, text)));
    EXPECT_EQ(read.jobs[0].job, "q7-50g") << name;
  }
  const auto junk = folder.file("j.jsonl", "[]\n");
  EXPECT_NE(mistakes_in(read_workload(junk)).find("an object"), std::string::npos)
      << "a .jsonl that is no format's is reported as a native one";
}

TEST(Decima, OfTheTraceHas154JobsWhoseFreshTasksAreTheSlowest) {
  SOMNUS_TRACE_OR_SKIP(path, "decima_tpch/decima_tpch.jsonl.gz");
  const auto workload = value_or_throw(read_workload(path));
  EXPECT_EQ(workload.jobs.size(), 154U);
  double nominal = 0;
  double first = 0;
  double fresh = 0;
  for (const JobSpec& job : workload.jobs) {
    for (const StageSpec& one : job.stages) {
      for (std::size_t task = 0; task < one.durations.size(); ++task) {
        nominal += one.durations[task];
        first += one.first[task];
        fresh += one.fresh[task];
      }
    }
  }
  EXPECT_EQ(totals_of(workload).stages, 1414U);
  EXPECT_EQ(totals_of(workload).tasks, 177890U);
  EXPECT_LT(nominal, first);
  EXPECT_LT(first, fresh);
}

}  // namespace
}  // namespace somnus::test
