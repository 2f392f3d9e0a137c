#include <cmath>
#include <map>
#include <set>

#include "generators/generated.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

constexpr std::string_view library =
    R"({"somnus_workload": 1, "name": "lib", "resources": ["cpu"], "users": {"ann": 2, "bob": 3}}
{"job": "x", "user": "ann", "submit": 0, "durations": [1, 2]}
{"job": "y", "user": "bob", "submit": 5, "after": "x", "think": 3, "app": "why", "estimate": 7, "weight": 2, "queue": "q", "stages": [{"stage": 4, "tasks": 2, "duration": 3, "demand": {"cpu": 0.5}}, {"stage": 2, "parents": [4], "durations": [1]}]}
)";

TEST(DagLibrary, GivesItsJobsInTurnWithAllTheyHaveButTheirSubmits) {
  const Folder folder;
  const auto path = folder.file("lib.jsonl", library);
  const auto workload = made(
      "dag-library",
      {{"library", path.string()}, {"jobs", 3}, {"draw", "round-robin"}, {"arrivals", "at-once"}});
  EXPECT_EQ(
      native_text(workload),
      R"({"somnus_workload": 1, "name": "dag-library of lib", "resources": ["cpu"], "users": {"ann": 2, "bob": 3}}
{"job": "0", "user": "ann", "submit": 0, "app": "x", "durations": [1, 2]}
{"job": "1", "user": "bob", "submit": 0, "estimate": 7, "weight": 2, "queue": "q", "app": "why", "stages": [{"stage": 4, "tasks": 2, "duration": 3, "demand": {"cpu": 0.5}}, {"stage": 2, "parents": [4], "durations": [1]}]}
{"job": "2", "user": "ann", "submit": 0, "app": "x", "durations": [1, 2]}
)");
}

TEST(DagLibrary, DrawsEachDagAsOftenByDefault) {
  const Folder folder;
  const auto path = folder.file("lib.jsonl", library);
  std::map<std::string, int> drawn;
  for (const JobSpec& job :
       made("dag-library", {{"library", path.string()}, {"jobs", 4000}}).jobs) {
    ++drawn[job.app];
  }
  EXPECT_EQ(drawn.size(), 2U);
  EXPECT_NEAR(drawn["x"], 2000, 4 * std::sqrt(1000));
}

TEST(DagLibrary, LeavesOutUsersWithoutAJob) {
  const Folder folder;
  const auto path = folder.file("lib.jsonl", library);
  const auto workload =
      made("dag-library", {{"library", path.string()}, {"jobs", 1}, {"draw", "round-robin"}});
  ASSERT_EQ(workload.users.size(), 1U);
  EXPECT_EQ(workload.users[0].user, "ann");
}

TEST(DagLibrary, ReadsAnyFormat) {
  const Folder folder;
  const auto dags = folder.file("c.txt", "# q1\n1 q1\nM 5 0 0 0 0 0 0 1\n0\n");
  const auto tasks = folder.file("b.csv", "M1,2,j_1,A,Terminated,10,20,100,0.5\n");
  EXPECT_EQ(made("dag-library", {{"library", dags.string()}}).jobs[9].app, "q1");
  EXPECT_EQ(made("dag-library", {{"library", tasks.string()}}).jobs[9].app, "j_1");
}

TEST(DagLibrary, FindsItsFileFromTheGivenFolder) {
  const Folder folder;
  const auto path = folder.file("lib.jsonl", library);
  const auto workload =
      generate("dag-library", {{"library", path.filename().string()}}, 1, {}, path.parent_path());
  EXPECT_EQ(value_or_throw(workload).jobs.size(), 250U);
}

TEST(DagLibrary, NamesMistakesInTheFileWhereTheyStand) {
  const Folder folder;
  const auto path = folder.file("bad.tr", "0 1 4 4\n1 2 4 4 x\n");
  EXPECT_EQ(mistakes_of("dag-library", {{"library", path.string()}}),
            path.string() + ":2:9: duration: expected a number, found 'x'");
  const auto absent = folder / "absent.tr";
  EXPECT_EQ(mistakes_of("dag-library", {{"library", absent.string()}}),
            absent.string() + ": cannot be opened: No such file or directory");
  EXPECT_EQ(mistakes_of("dag-library", {}),
            "c.toml:7:3: library: expected a workload file, found \"\"");
  EXPECT_EQ(mistakes_of("dag-library", {{"library", "x"}, {"draw", "evenly"}}),
            "c.toml:7:3: draw: expected \"uniform\" or \"round-robin\", found \"evenly\"");
}

TEST(DagLibrary, DrawsFromTheRealQueriesOfBigBench) {
  SOMNUS_TRACE_OR_SKIP(path, "carbyne_dags/queries_bb.txt.gz");
  const auto workload = made("dag-library", {{"library", path.string()}});
  EXPECT_EQ(workload.jobs.size(), 250U);
  std::set<std::string> apps;
  for (const JobSpec& job : workload.jobs) apps.insert(job.app);
  EXPECT_EQ(apps.size(), 21U);
}

constexpr std::string_view runs =
    R"({"query":1,"size_gb":2,"num_stages":1,"stages":[{"stage":0,"num_tasks":20,"parents":[],"spark_stage_id":[0],"executors":{"2":{"fresh":[90],"first":[90],"rest":[1,2,3,4,5,6,7,8]},"5":{"fresh":[80],"first":[80],"rest":[70]}}}]}
{"query":2,"size_gb":2,"num_stages":1,"stages":[{"stage":0,"num_tasks":1,"parents":[],"spark_stage_id":[0],"executors":{"2":{"fresh":[9],"first":[9],"rest":[1]}}}]}
{"query":1,"size_gb":10,"num_stages":1,"stages":[{"stage":0,"num_tasks":1,"parents":[],"spark_stage_id":[0],"executors":{"2":{"fresh":[9],"first":[9],"rest":[1]}}}]}
)";

TEST(DagLibrary, DrawsFromThoseWhoseNamesAreAskedFor) {
  const Folder folder;
  const auto path = folder.file("runs.jsonl", runs);
  const auto apps = [&](const List& only) {
    std::set<std::string> drawn;
    for (const JobSpec& job :
         made("dag-library", {{"library", path.string()}, {"jobs", 50}, {"only", only}}).jobs) {
      drawn.insert(job.app);
    }
    return drawn;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(apps({}), (Names{"q1-2g", "q2-2g", "q1-10g"}));
  EXPECT_EQ(apps({"*-2g"}), (Names{"q1-2g", "q2-2g"}));
  EXPECT_EQ(apps({"q1-*"}), (Names{"q1-2g", "q1-10g"}));
  EXPECT_EQ(apps({"q2-2g", "*1*0*"}), (Names{"q2-2g", "q1-10g"}));
  EXPECT_EQ(mistakes_of("dag-library", {{"library", path.string()}, {"only", List{"q1-2"}}}),
            "c.toml:7:3: only: expected names of the library's jobs, found 'q1-2'; did you mean "
            "'q1-2g'?");
}

TEST(DagLibrary, GivesTheFormatItsParametersAndTheSeed) {
  const Folder folder;
  const auto path = folder.file("runs.jsonl", runs);
  const auto durations = [&](const Table& with, std::uint64_t seed) {
    return made("dag-library",
                {{"library", path.string()}, {"only", List{"q1-2g"}}, {"with", with}}, seed)
        .jobs[0]
        .stages[0]
        .durations;
  };
  EXPECT_NE(durations({}, 1), durations({}, 2));
  EXPECT_EQ(durations({{"seed", 7}}, 1), durations({{"seed", 7}}, 2));
  EXPECT_EQ(durations({{"executors", 5}}, 1), std::vector(20, 0.07));
  EXPECT_EQ(
      mistakes_of("dag-library", {{"library", path.string()}, {"with", Table{{"executrs", 5}}}}),
      "c.toml:7:3: executrs: unknown parameter of format decima; did you mean 'executors'?");
}

}  // namespace
}  // namespace somnus::test
