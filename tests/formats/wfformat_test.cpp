#include <fmt/ranges.h>

#include "formats/parsed.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> wfformat_sample =
    FormatSample{"wfformat",
                 "{\"schemaVersion\": \"1.5\", \"workflow\":\n"
                 "{\"tasks\": [{\"id\": \"a\", \"parents\": [], \"runtimeInSeconds\": 1}]}}\n"};

Checked<WorkloadSpec> parse_flow(std::string text, const Parameters& options = {}) {
  return parsed("wfformat", text_file("flow.json", std::move(text)), options);
}

constexpr std::string_view forked = R"({
  "name": "forked", "schemaVersion": "1.5",
  "workflow": {
    "specification": {"tasks": [
      {"id": "split_ID01", "name": "split_ID01", "parents": [], "children": ["a_1"]},
      {"id": "a_1", "name": "a_1", "parents": ["split_ID01"], "children": ["join"]},
      {"id": "a_2", "name": "a_2", "parents": ["split_ID01"], "children": ["join"]},
      {"id": "a_3", "name": "a_3", "parents": ["split_ID01"], "children": ["join", "b_1"]},
      {"id": "join", "name": "join", "parents": ["a_3", "a_1", "a_2", "a_1"], "children": []},
      {"id": "b_1", "name": "b_1", "parents": ["a_3"], "children": []}]},
    "execution": {"tasks": [
      {"id": "a_2", "runtimeInSeconds": 2.5, "coreCount": 2, "memoryInBytes": 500000000},
      {"id": "a_1", "runtimeInSeconds": 2, "coreCount": 4},
      {"id": "a_3", "runtimeInSeconds": 3},
      {"id": "b_1", "runtimeInSeconds": 0, "command": {"program": "late"}},
      {"id": "split_ID01", "runtimeInSeconds": 1},
      {"id": "join", "runtimeInSeconds": 4}]}}}
)";

TEST(WfFormat, MakesAStageOfTasksThatNobodyCouldTellApart) {
  EXPECT_EQ(native_text(value_or_throw(parse_flow(std::string(forked)))),
            R"({"somnus_workload": 1, "name": "flow.json", "resources": ["cpu", "mem_gb"]}
{"job": "forked", "submit": 0, "stages": [{"stage": 0, "durations": [1], "demand": {"cpu": 1}}, {"stage": 1, "parents": [0], "durations": [2, 2.5], "demand": {"cpu": 4, "mem_gb": 0.5}}, {"stage": 2, "parents": [0], "durations": [3], "demand": {"cpu": 1}}, {"stage": 3, "parents": [1, 2], "durations": [4], "demand": {"cpu": 1}}, {"stage": 4, "parents": [2], "durations": [0], "demand": {"cpu": 1}}]}
)");
}

std::vector<std::size_t> widths(const char* merge) {
  std::vector<std::size_t> widths;
  const auto workload = value_or_throw(parse_flow(std::string(forked), {{"merge", merge}}));
  for (const StageSpec& stage : workload.jobs[0].stages) widths.push_back(stage.durations.size());
  return widths;
}

TEST(WfFormat, MergesMoreOrNothingOnRequest) {
  EXPECT_EQ(widths("alike"), (std::vector<std::size_t>{1, 2, 1, 1, 1}));
  EXPECT_EQ(widths("parents"), (std::vector<std::size_t>{1, 3, 1, 1}));
  EXPECT_EQ(widths("none"), (std::vector<std::size_t>{1, 1, 1, 1, 1, 1}));
}

TEST(WfFormat, ReadsTheWordsOfEarlierVersions) {
  const std::string same =
      R"(, "submit": 0, "stages": [{"stage": 0, "durations": [1.5], "demand": {"cpu": 2, "mem_gb": 0.5}}, {"stage": 1, "parents": [0], "durations": [2, 3], "demand": {"cpu": 1}}]})";
  const auto jobs_of = [](std::string text) {
    const std::string all = native_text(value_or_throw(parse_flow(std::move(text))));
    return all.substr(all.find(", \"submit\""));
  };
  EXPECT_EQ(jobs_of(R"({"name": "old", "schemaVersion": "1.0", "workflow": {"makespan": 9, "jobs": [
{"name": "split_ID01", "type": "compute", "runtime": 1.5, "cores": 2, "memory": 500000},
{"name": "work_ID02", "type": "compute", "runtime": 2, "parents": ["split_ID01"]},
{"name": "work_ID03", "type": "compute", "runtime": 3, "parents": ["split_ID01"]}]}})"),
            same + "\n");
  EXPECT_EQ(jobs_of(R"({"name": "old", "schemaVersion": "1.2", "workflow": {"jobs": [
{"name": "split", "id": "ID1", "runtime": 1.5, "cores": 2, "memory": 500000, "children": ["a", "b"]},
{"name": "a", "id": "ID2", "runtime": 2, "command": {"program": "w"}, "parents": ["ID1"]},
{"name": "b", "id": "ID3", "runtime": 3, "command": {"program": "w"}}]}})"),
            same + "\n");
  EXPECT_EQ(jobs_of(R"({"name": "old", "schemaVersion": "1.3", "workflow": {"tasks": [
{"name": "w_1", "id": "2", "runtime": 2, "parents": ["s"]},
{"name": "w_2", "id": "3", "runtime": 3, "parents": ["s"]},
{"name": "s", "id": "1", "runtime": 1.5, "cores": 2, "memory": 500000, "parents": []}]}})")
                .size(),
            same.size() + 1);
  EXPECT_EQ(jobs_of(R"({"name": "old", "schemaVersion": "1.4", "workflow": {"tasks": [
{"name": "s", "id": "1", "runtimeInSeconds": 1.5, "cores": 2, "memoryInBytes": 500000000, "parents": []},
{"name": "w_1", "id": "2", "runtimeInSeconds": 2, "parents": ["s"]},
{"name": "w_2", "id": "3", "runtimeInSeconds": 3, "parents": ["s"]}]}})"),
            same + "\n");
}

TEST(WfFormat, NamesTheMistakesOfEarlierVersions) {
  EXPECT_EQ(
      mistakes_in(parse_flow(R"({"schemaVersion": "1.0", "workflow": {"jobs": [
{"name": "a", "runtime": -1, "children": ["a"]},
{"name": "b", "parents": ["c"], "cores": "two"}]}})")),
      "flow.json:2:43: workflow.jobs[0].children[0]: expected another task, found 'a' itself\n"
      "flow.json:3:27: workflow.jobs[1].parents[0]: expected a task of the workflow, found "
      "'c'\n"
      "flow.json:2:26: workflow.jobs[0].runtime: expected 0 or more, found -1\n"
      "flow.json:3:1: workflow.jobs[1].runtimeInSeconds: expected this key, found none\n"
      "flow.json:3:42: workflow.jobs[1].cores: expected a number, found a string");
}

TEST(WfFormat, ReadsTasksThatHaveAllInOnePlaceAndParentsByName) {
  const auto workload = value_or_throw(parse_flow(
      R"({"schemaVersion": "1.4", "workflow": {"tasks": [
{"id": "1", "name": "a", "parents": [], "runtimeInSeconds": 1.5, "coreCount": 2},
{"id": "2", "name": "b", "parents": ["a"], "runtimeInSeconds": 2}]}})"));
  const JobSpec& job = workload.jobs[0];
  EXPECT_EQ(job.job, "flow.json");
  ASSERT_EQ(job.stages.size(), 2U);
  EXPECT_EQ(job.stages[0].durations, std::vector{1.5});
  EXPECT_EQ(job.stages[0].demand, (std::vector{2.0, 0.0}));
  EXPECT_EQ(job.stages[1].parents, std::vector{0U});
}

TEST(WfFormat, NamesEveryMistakeAtItsPlace) {
  EXPECT_EQ(mistakes_in(parse_flow(R"({"workflow": {
  "specification": {"tasks": [
    {"id": "a", "parents": ["a", "nobody", 7]},
    {"id": "a", "parents": []}, {"name": "c", "parents": []}]},
  "execution": {"tasks": [{"id": "a", "runtimeInSeconds": -1, "coreCount": "2"},
    {"id": "a"}, {"id": "d", "runtimeInSeconds": 1}]}}})")),
            "flow.json:4:12: workflow.specification.tasks[1].id: expected an id of its own, found "
            "'a' again, as in workflow.specification.tasks[0]\n"
            "flow.json:4:33: workflow.specification.tasks[2].id: expected this key, found none\n"
            "flow.json:5:59: workflow.execution.tasks[0].runtimeInSeconds: expected 0 or more, "
            "found -1\n"
            "flow.json:5:76: workflow.execution.tasks[0].coreCount: expected a number, found a "
            "string\n"
            "flow.json:6:5: workflow.execution.tasks[1]: expected one run of each task, found "
            "another\n"
            "flow.json:6:25: workflow.execution.tasks[2].id: expected a task of the "
            "specification, found 'd'");
  EXPECT_EQ(mistakes_in(parse_flow(R"({"workflow": {"specification": {"tasks": [
    {"id": "a", "parents": ["a", "nobody", 7]}, {"id": "b"}]}}})")),
            "flow.json:2:29: workflow.specification.tasks[0].parents[0]: expected another task, "
            "found 'a' itself\n"
            "flow.json:2:34: workflow.specification.tasks[0].parents[1]: expected a task of the "
            "workflow, found 'nobody'\n"
            "flow.json:2:44: workflow.specification.tasks[0].parents[2]: expected a string, found "
            "a number\n"
            "flow.json:2:49: workflow.specification.tasks[1].parents: expected this key, found "
            "none\n"
            "flow.json:1:14: workflow.execution: expected this key, found none");
}

TEST(WfFormat, NamesTasksThatWaitForEachOtherOrNeverRan) {
  EXPECT_EQ(mistakes_in(parse_flow(R"({"workflow": {"tasks": [
    {"id": "a", "parents": ["b"], "runtimeInSeconds": 1},
    {"id": "b", "parents": ["a"], "runtimeInSeconds": 1}]}})")),
            "flow.json:2:5: workflow.tasks[0]: expected no cycle, found stages that wait for each "
            "other: 0 -> 1 -> 0");
  EXPECT_EQ(mistakes_in(parse_flow(R"({"workflow": {"specification": {"tasks": [
    {"id": "a", "parents": []}]}, "execution": {"tasks": []}}})")),
            "flow.json:2:5: workflow.specification.tasks[0]: expected what it took in "
            "workflow.execution.tasks, found nothing");
}

/// Of tasks a, b, c, ...: what they read, write and wait for; or the mistakes.
struct FlowTask {
  std::vector<std::string> reads;
  std::vector<std::string> writes;
  std::vector<std::string> parents = {};
};

std::string edges_of(const std::vector<FlowTask>& tasks, const char* version) {
  const bool is_old = std::string_view(version) == "1.4";
  const auto quoted = [](const std::vector<std::string>& names) {
    std::vector<std::string> all;
    for (const std::string& name : names) all.push_back(fmt::format("\"{}\"", name));
    return fmt::format("[{}]", fmt::join(all, ", "));
  };
  std::vector<std::string> made;
  std::vector<std::string> runs;
  char id = 'a';
  for (const FlowTask& task : tasks) {
    std::string files = fmt::format(R"("inputFiles": {}, "outputFiles": {})", quoted(task.reads),
                                    quoted(task.writes));
    if (is_old) {
      std::vector<std::string> list;
      for (const std::string& name : task.reads)
        list.push_back(fmt::format(R"({{"link": "input", "name": "{}"}})", name));
      for (const std::string& name : task.writes)
        list.push_back(fmt::format(R"({{"link": "output", "name": "{}"}})", name));
      files = fmt::format(R"("files": [{}], "runtimeInSeconds": 1)", fmt::join(list, ", "));
    }
    made.push_back(
        fmt::format(R"({{"id": "{}", "parents": {}, {}}})", id, quoted(task.parents), files));
    runs.push_back(fmt::format(R"({{"id": "{}", "runtimeInSeconds": 1}})", id++));
  }
  const std::string inner =
      is_old ? fmt::format(R"("tasks": [{}])", fmt::join(made, ", "))
             : fmt::format(R"("specification": {{"tasks": [{}]}}, "execution": {{"tasks": [{}]}})",
                           fmt::join(made, ", "), fmt::join(runs, ", "));
  const auto workload =
      parse_flow(fmt::format(R"({{"schemaVersion": "{}", "workflow": {{{}}}}})", version, inner),
                 {{"merge", "none"}});
  if (!workload) return mistakes_in(workload);
  std::string edges = workload->name;
  for (const StageSpec& stage : workload->jobs[0].stages) {
    for (const std::uint32_t parent : stage.parents) {
      edges += fmt::format(" {}{}", static_cast<char>('a' + parent),
                           static_cast<char>('a' + stage.stage));
    }
  }
  return edges;
}

TEST(WfFormat, TakesEdgesFromFilesWhereTasksHaveNoParents) {
  for (const char* const version : {"1.4", "1.5"}) {
    const std::string at =
        std::string_view(version) == "1.4" ? "workflow.tasks[" : "workflow.specification.tasks[";
    const auto by_files = [&](int count, int first) {
      return fmt::format(
          "flow.json (edges by files, to tasks without parents: {}, such as to {}{}])", count, at,
          first);
    };
    EXPECT_EQ(edges_of({{{"in"}, {"x", "x"}}, {{"x", "in"}, {"y"}}, {{"x", "y"}, {}}}, version),
              by_files(3, 1) + " ab ac bc");
    EXPECT_EQ(edges_of({{{"x"}, {"x"}}, {{"x"}, {}}}, version), by_files(1, 1) + " ab")
        << "a file that a task changes";
    EXPECT_EQ(edges_of({{{}, {"x"}}, {{}, {"x"}}, {{"x"}, {}}}, version), by_files(2, 2) + " ac bc")
        << "several write it";
  }
}

TEST(WfFormat, SaysWhereFilesAndParentsDoNotAgree) {
  EXPECT_EQ(edges_of({{{}, {"x"}}, {{"x"}, {"y"}, {"a"}}, {{"x", "y"}, {}, {"b"}}}, "1.5"),
            "flow.json ab bc")
      << "the parents lead to a";
  EXPECT_EQ(edges_of({{{}, {"x"}}, {{}, {}}, {{"x"}, {}, {"b"}}}, "1.5"),
            "flow.json (edges by files that the parents lack, left out: 1, such as to "
            "workflow.specification.tasks[2]) bc");
  EXPECT_EQ(edges_of({{{"x"}, {}}, {{}, {"x"}, {"a"}}}, "1.5"),
            "flow.json (edges by files that the parents lack, left out: 1, such as to "
            "workflow.specification.tasks[0]) ab")
      << "a file from before, which a later task writes again";
}

TEST(WfFormat, NamesFilesThatMakeTasksWaitForEachOther) {
  const std::string said = edges_of({{{"y"}, {"x"}}, {{"x"}, {"y"}}}, "1.4");
  EXPECT_TRUE(
      said.ends_with("expected no cycle, found stages that wait for each other: 0 -> 1 -> "
                     "0; tasks without parents wait for those that write what they read"))
      << said;
}

TEST(WfFormat, TakesParentsThatOnlyListsOfChildrenName) {
  std::string text(forked);
  for (auto at = text.find("[\"split_ID01\"]"); at != std::string::npos;
       at = text.find("[\"split_ID01\"]")) {
    text.replace(at, 14, "[]");
  }
  text.replace(text.find("[\"a_1\"]"), 7, "[\"a_1\", \"a_2\", \"a_3\"]");
  EXPECT_EQ(native_text(value_or_throw(parse_flow(text))),
            native_text(value_or_throw(parse_flow(std::string(forked)))));
}

TEST(WfFormat, NamesFilesWithoutAWorkflow) {
  EXPECT_EQ(mistakes_in(parse_flow(" \n")), "flow.json: expected a workload, found an empty file");
  EXPECT_EQ(mistakes_in(parse_flow("[1]")),
            "flow.json:1: expected an object in braces, found an array");
  EXPECT_EQ(mistakes_in(parse_flow("{}")), "flow.json:1: workflow: expected this key, found none");
  EXPECT_EQ(mistakes_in(parse_flow(R"({"workflow": {"tasks": []}})")),
            "flow.json:1:24: workflow.tasks: expected at least one task, found none");
  EXPECT_TRUE(mistakes_in(parse_flow("{\"workflow\":\n  {\"tasks\" []}}"))
                  .starts_with("flow.json:2:12: not JSON: "));
}

TEST(WfFormat, IsDetectedFromItsKeys) {
  EXPECT_TRUE(looks_like("wfformat", forked));
  EXPECT_FALSE(looks_like("wfformat", "{\"somnus_workload\": 1}"));
  EXPECT_FALSE(looks_like("wfformat", ""));
}

}  // namespace
}  // namespace somnus::test
