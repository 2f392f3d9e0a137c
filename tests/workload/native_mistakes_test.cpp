// What each mistake in a native workload file reads like. The texts are what users see.
#include "workload/native.hpp"
#include "workload/support.hpp"

namespace somnus::test {
namespace {

constexpr std::string_view first_line = R"({"somnus_workload": 1, "resources": ["cpu", "mem_gb"]})";

std::string mistakes_of_text(std::string_view text) {
  return mistakes_in(parse_native(text_file("w.jsonl", std::string(text))));
}

// Of one job line below the usual first line.
std::string in_job(std::string_view line) {
  return mistakes_of_text(fmt::format("{}\n{}\n", first_line, line));
}

// Of one job with that stage's keys.
std::string in_stage(std::string_view keys) {
  return in_job(fmt::format(R"({{"job":"a","submit":0,"stages":[{{{}}}]}})", keys));
}

TEST(NativeMistakes, NameAnEmptyFile) {
  EXPECT_EQ(mistakes_of_text(""), "w.jsonl: expected a workload, found an empty file");
  EXPECT_EQ(mistakes_of_text("\n \r\n"), "w.jsonl: expected a workload, found an empty file");
}

TEST(NativeMistakes, NameAFileWithoutJobs) {
  EXPECT_EQ(mistakes_of_text(first_line),
            "w.jsonl: expected at least one job, found only the first line");
}

TEST(NativeMistakes, NameAMissingHeaderAndStillReadTheJob) {
  EXPECT_EQ(mistakes_of_text(R"({"job":"a","submit":-1,"durations":[1]})"),
            "w.jsonl:1: expected {\"somnus_workload\": 1, ...} in the first line\n"
            "w.jsonl:1:21: submit: expected 0 to 1000000000 s, found -1");
}

TEST(NativeMistakes, NameAnUnknownVersionAndOddResources) {
  EXPECT_EQ(mistakes_of_text(R"({"somnus_workload": 2, "nmae": "x",
{"job":"a","submit":0,"durations":[1]})"),
            "w.jsonl:1:36: not JSON: syntax error while parsing object key - unexpected end of "
            "input; expected string literal");
  EXPECT_EQ(mistakes_of_text(R"({"somnus_workload": 2, "nmae": "x"})"),
            "w.jsonl:1:21: somnus_workload: expected format version 1, found 2\n"
            "w.jsonl:1:32: nmae: unknown key; did you mean 'name'?");
  EXPECT_EQ(mistakes_of_text(
                R"({"somnus_workload": 1, "resources": ["a","b","c","d","a","f","g","h","i",)"
                R"("j","k","l","m","n","o","p","q"]})"),
            "w.jsonl:1:37: resources: expected at most 16 kinds, found 17");
  EXPECT_EQ(mistakes_of_text(R"({"somnus_workload": 1, "resources": ["a",3,"a",""]})"),
            "w.jsonl:1:42: resources[1]: expected a string, found a number\n"
            "w.jsonl:1:44: resources[2]: expected each kind once, found 'a' again\n"
            "w.jsonl:1:48: resources[3]: expected a name, found an empty one");
}

TEST(NativeMistakes, SayWhereALineIsNotJson) {
  EXPECT_EQ(in_job(R"({"job":"a","submit":NaN,"durations":[1]})"),
            "w.jsonl:2:21: not JSON: syntax error while parsing value - invalid literal; last "
            "read: '\"submit\":N'");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"durations":[1]} {})"),
            "w.jsonl:2:40: not JSON: syntax error while parsing value - unexpected '{'; expected "
            "end of input");
  EXPECT_EQ(in_job(R"({"job":"a","submit":1e400,"durations":[1]})"),
            "w.jsonl:2: not JSON: number overflow parsing '1e400'");
  EXPECT_EQ(in_job(R"({"job":"a","submit":100000000000000000000,"durations":[1]})"),
            "w.jsonl:2: expected numbers that 64 bits hold, found a larger one");
  EXPECT_EQ(in_job("[1]"), "w.jsonl:2: expected an object in braces, found an array");
  EXPECT_EQ(in_job("\x01"),
            "w.jsonl:2:1: not JSON: syntax error while parsing value - invalid "
            "literal; last read: '<U+0001>'");
}

TEST(NativeMistakes, NameMissingKeys) {
  EXPECT_EQ(in_job("{}"),
            "w.jsonl:2: job: missing, expected the job's name\n"
            "w.jsonl:2: submit: missing, expected seconds\n"
            "w.jsonl:2: stages: missing, expected stages, or durations on the job");
}

TEST(NativeMistakes, NameValuesOfTheWrongType) {
  EXPECT_EQ(in_job(R"({"job":7,"submit":"0","weight":null,"user":[],"durations":[1,"2",true]})"),
            "w.jsonl:2:8: job: expected a string, found a number\n"
            "w.jsonl:2:19: submit: expected a number, found a string\n"
            "w.jsonl:2:32: weight: expected a number, found null\n"
            "w.jsonl:2:44: user: expected a string, found an array\n"
            "w.jsonl:2:62: durations[1]: expected a number, found a string\n"
            "w.jsonl:2:66: durations[2]: expected a number, found a truth value");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"stages":{}})"),
            "w.jsonl:2:32: stages: expected an array, found an object");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"stages":[5]})"),
            "w.jsonl:2:33: stages[0]: expected an object in braces, found a number");
  EXPECT_EQ(in_stage(R"("stage":-1,"parents":[0.5],"durations":7,"demand":[])"),
            "w.jsonl:2:42: stages[0].stage: expected a whole number from 0 to 4294967295, found "
            "-1\n"
            "w.jsonl:2:56: stages[0].parents[0]: expected a whole number from 0 to 4294967295, "
            "found 0.5\n"
            "w.jsonl:2:73: stages[0].durations: expected an array, found a number\n"
            "w.jsonl:2:84: stages[0].demand: expected an object in braces, found an array");
}

TEST(NativeMistakes, NameTimesOutOfRange) {
  EXPECT_EQ(in_job(R"({"job":"a","submit":1000000001,"durations":[-0.5,1e300,0]})"),
            "w.jsonl:2:21: submit: expected 0 to 1000000000 s, found 1000000001\n"
            "w.jsonl:2:45: durations[0]: expected 0 to 8300000 s, found -0.5\n"
            "w.jsonl:2:50: durations[1]: expected 0 to 8300000 s (96 days: a log keeps no longer "
            "time to the nanosecond), found 1e+300");
  EXPECT_EQ(in_stage(R"("tasks":1000000,"duration":-1)"),
            "w.jsonl:2:61: stages[0].duration: expected 0 to 8300000 s, found -1");
  EXPECT_EQ(in_stage(R"("work":-1)"),
            "w.jsonl:2:41: stages[0].work: expected 0 to 8300000 s, "
            "found -1");
  EXPECT_EQ(in_stage(R"("work":0)"),
            "w.jsonl:2:41: stages[0].work: expected more than 0 s, found "
            "0");
}

TEST(NativeMistakes, SuggestTheKeyThatWasMeant) {
  EXPECT_EQ(in_job(R"({"job":"a","sumbit":0,"submit":0,"durations":[1]})"),
            "w.jsonl:2:21: sumbit: unknown key; did you mean 'submit'?");
  EXPECT_EQ(in_stage(R"("durations":[1],"parent":[])"),
            "w.jsonl:2:59: stages[0].parent: unknown key; did you mean 'parents'?");
  EXPECT_EQ(in_stage(R"("durations":[1],"demand":{"cpus":1})"),
            "w.jsonl:2:67: stages[0].demand.cpus: expected a resource that the first line "
            "declares; did you mean 'cpu'?");
}

TEST(NativeMistakes, NameAKeyGivenTwice) {
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"submit":1,"durations":[1]})"),
            "w.jsonl:2:21: submit: expected once, found again");
}

TEST(NativeMistakes, NameTheWaysToWriteTasksThatExcludeEachOther) {
  EXPECT_EQ(in_stage(R"("durations":[1],"tasks":2,"duration":3)"),
            "w.jsonl:2:33: stages[0]: expected one of durations, tasks with duration, and work; "
            "found durations, tasks with duration");
  EXPECT_EQ(in_stage(R"("durations":[1],"work":3)"),
            "w.jsonl:2:33: stages[0]: expected one of durations, tasks with duration, and work; "
            "found durations, work");
  EXPECT_EQ(in_stage(""),
            "w.jsonl:2:33: stages[0]: expected one of durations, tasks with duration, and work; "
            "found none");
  EXPECT_EQ(in_stage(R"("tasks":2)"),
            "w.jsonl:2:33: stages[0].duration: expected beside tasks, found none");
  EXPECT_EQ(in_stage(R"("duration":2)"),
            "w.jsonl:2:33: stages[0].tasks: expected beside duration, found none");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"durations":[1],"stages":[{"durations":[1]}]})"),
            "w.jsonl:2:48: stages: expected either stages or one stage's keys on the job, found "
            "both");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"demand":{"cpu":1}})"),
            "w.jsonl:2: durations: expected one of durations, tasks with duration, and work; "
            "found none");
}

TEST(NativeMistakes, NameJobsAndStagesWithoutWork) {
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"stages":[]})"),
            "w.jsonl:2:32: stages: expected at least one stage, found none");
  EXPECT_EQ(in_stage(R"("durations":[])"), "w.jsonl:2:33: stages[0]: expected tasks, found none");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"durations":[]})"),
            "w.jsonl:2:35: durations: expected tasks, found none");
  EXPECT_EQ(in_stage(R"("tasks":0,"duration":1)"),
            "w.jsonl:2:42: stages[0].tasks: expected at least one task, found 0");
}

TEST(NativeMistakes, NameMoreTasksThanIdsInsteadOfMakingThem) {
  EXPECT_EQ(in_stage(R"("tasks":4294967295,"duration":0)"),
            "w.jsonl:2:42: stages[0].tasks: expected a whole number from 0 to 100000000, found "
            "4294967295");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"stages":[{"tasks":2,"duration":0},)"
                   R"({"tasks":99999999,"duration":0}]})"),
            "w.jsonl:2:67: stages[1].tasks: expected at most 100000000 tasks in a workload");
}

TEST(NativeMistakes, NameParentsThatCannotBe) {
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"stages":[{"stage":3,"durations":[1],"parents":[4]},)"
                   R"({"stage":3,"durations":[1]},{"stage":5,"durations":[1],"parents":[3,3]}]})"),
            "w.jsonl:2:84: stages[1].stage: expected a number of its own, found 3 again\n"
            "w.jsonl:2:71: stages[0].parents[0]: expected a stage of this job, found 4\n"
            "w.jsonl:2:143: stages[2].parents[1]: expected each parent once, found 3 again");
}

TEST(NativeMistakes, ShowACycleOfParents) {
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"stages":[{"stage":0,"durations":[1],"parents":[2]},)"
                   R"({"stage":1,"durations":[1],"parents":[0]},)"
                   R"({"stage":2,"durations":[1],"parents":[1]}]})"),
            "w.jsonl:2:70: stages[0].parents: expected no cycle, found stages that wait for each "
            "other: 0 -> 2 -> 1 -> 0");
  EXPECT_EQ(in_stage(R"("stage":7,"durations":[1],"parents":[7])"),
            "w.jsonl:2:70: stages[0].parents: expected no cycle, found stages that wait for each "
            "other: 7 -> 7");
}

TEST(NativeMistakes, NameJobsThatClashWithEarlierOnes) {
  EXPECT_EQ(mistakes_of_text(fmt::format("{}\n{}\n{}\n", first_line,
                                         R"({"job":"a","submit":2,"durations":[1]})",
                                         R"({"job":"a","submit":1.5,"durations":[1]})")),
            "w.jsonl:3:8: job: expected a name of its own, found 'a' again\n"
            "w.jsonl:3:21: submit: expected jobs in order of submit, found 1.5 after 2");
}

TEST(NativeMistakes, NameWeightsFactorsAndCurvesOutOfRange) {
  EXPECT_EQ(
      in_job(R"({"job":"a","submit":0,"weight":0,"warmup":0.5,"curve":[1,2],"durations":[1]})"),
      "w.jsonl:2:32: weight: expected 0.001 to 1000, found 0\n"
      "w.jsonl:2:43: warmup: expected 1 to 1000, found 0.5; a cold task takes that many "
      "times as long as a warm one\n"
      "w.jsonl:2:55: curve: expected 4 coefficients, found 2; time on x slots is a0 + a1 x + a2 / "
      "x "
      "+ a3 ln x times the least time");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"warmup":0,"curve":[],"durations":[1]})"),
            "w.jsonl:2:32: warmup: expected 1 to 1000, found 0\n"
            "w.jsonl:2:42: curve: expected 4 coefficients, found 0");
}

TEST(NativeMistakes, NameCurvesThatTellOfNoProgress) {
  EXPECT_EQ(
      in_job(R"({"job":"a","submit":0,"curve":[1,0,0,-1],"durations":[1,1,1]})"),
      "w.jsonl:2:31: curve: expected a progress above 0 on 1 to 3 slots, found -10.1407 on 3; "
      "time on x slots is a0 + a1 x + a2 / x + a3 ln x times the least time");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"curve":[0,0,0,0],"durations":[1]})"),
            "w.jsonl:2:31: curve: expected a coefficient other than 0, found none; "
            "time on x slots is a0 + a1 x + a2 / x + a3 ln x times the least time");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"curve":[1,0,0,-0.1],"work":10})"),
            "w.jsonl:2:31: curve: expected coefficients of at least 0 beside divisible work, found "
            "one below; into how many tasks the work is cut is not known yet, and progress must be "
            "above 0");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"progress":[0.5,0,3],"durations":[1,1,1]})"),
            "w.jsonl:2:39: progress[1]: expected above 0 to 2, found 0; the job's least time over "
            "its time on so many slots; what is above 1 counts as 1\n"
            "w.jsonl:2:41: progress[2]: expected above 0 to 2, found 3; the job's least time over "
            "its time on so many slots; what is above 1 counts as 1");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"progress":[],"durations":[1]})"),
            "w.jsonl:2:34: progress: expected its progress on 1, 2, ... slots, found none");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"curve":[1,0,0,0],"progress":[1],"durations":[1]})"),
            "w.jsonl:2:52: progress: expected either curve or progress, found both");
}

TEST(NativeMistakes, NameWeightsOfUsersAtTheirPlace) {
  EXPECT_EQ(
      mistakes_of_text(
          R"({"somnus_workload":1,"users":{"ann":0,"a.b":-2,"bob":"1","bob":1,"c\n\"]":0,"":1}}
{"job":"a","submit":0,"durations":[1],"user":"ann"}
{"job":"b","submit":0,"durations":[1],"user":"a.b"}
{"job":"c","submit":0,"durations":[1],"user":"bob"}
{"job":"d","submit":0,"durations":[1],"user":"c\n\"]"})"),
      "w.jsonl:1:54: users.bob: expected a number, found a string\n"
      "w.jsonl:1:37: users.ann: expected 0.001 to 1000, found 0; a user of weight 0 "
      "would never run; leave its jobs out\n"
      "w.jsonl:1:45: users[\"a.b\"]: expected 0.001 to 1000, found -2\n"
      "w.jsonl:1:75: users[\"c\\n\\\"]\"]: expected 0.001 to 1000, found 0; a user of "
      "weight 0 would never run; leave its jobs out\n"
      "w.jsonl:1:80: users[\"\"]: expected a name, found an empty one");
  EXPECT_EQ(mistakes_of_text("{\"somnus_workload\":1,\"users\":[\"ann\"]}\n"
                             "{\"job\":\"a\",\"submit\":0,\"durations\":[1]}"),
            "w.jsonl:1:30: users: expected an object in braces, found an array");
}

TEST(NativeMistakes, NameAListedUserWithoutJobsAndSuggestTheOneMeant) {
  constexpr std::string_view listed = R"({"somnus_workload":1,"users":{"ann":2,"bobb":0.5}})";
  constexpr std::string_view job = R"({"job":"a","submit":0,"durations":[1],"user":"ann"})";
  EXPECT_EQ(mistakes_of_text(fmt::format("{}\n{}\n{}\n", listed, job,
                                         R"({"job":"b","submit":0,"durations":[1],"user":"bob"})")),
            "w.jsonl:1:46: users.bobb: expected a user who submits a job, found one who submits "
            "none; did you mean 'bob'?");
  EXPECT_EQ(mistakes_of_text(fmt::format("{}\n{}\n{}\n", listed, job, "{")),
            "w.jsonl:3:2: not JSON: syntax error while parsing object key - unexpected end of "
            "input; expected string literal")
      << "that line's user may be the one";
  EXPECT_EQ(mistakes_of_text(fmt::format("{}\n{}\n{}\n", listed, job,
                                         R"({"job":"b","submit":0,"durations":[1],"user":7})")),
            "w.jsonl:3:46: user: expected a string, found a number");
}

TEST(NativeMistakes, NameJobsThatFollowNone) {
  const auto after_a = [](std::string_view keys) {
    return mistakes_of_text(
        fmt::format("{}\n{}\n{{\"job\":\"b\",\"submit\":0,\"durations\":[1],{}}}", first_line,
                    R"({"job":"alpha","submit":0,"durations":[1]})", keys));
  };
  EXPECT_EQ(after_a(R"("after":"alpha","think":2)"), "none");
  EXPECT_EQ(after_a(R"("after":"alpah","think":-1)"),
            "w.jsonl:3:63: think: expected 0 to 8300000 s, found -1\n"
            "w.jsonl:3:47: after: expected an earlier job, found 'alpah'; did you mean 'alpha'?");
  EXPECT_EQ(after_a(R"("after":"b")"),
            "w.jsonl:3:47: after: expected an earlier job, found 'b' itself");
  EXPECT_EQ(after_a(R"("after":"")"), "w.jsonl:3:47: after: expected a job, found an empty name");
  EXPECT_EQ(after_a(R"("think":0)"),
            "w.jsonl:3:47: think: expected after beside think, found none");
  EXPECT_EQ(mistakes_of_text(fmt::format("{}\n{}\n{}\n", first_line,
                                         R"({"job":"a","submit":0,"durations":[1],"after":"b"})",
                                         R"({"job":"b","submit":0,"durations":[1],"after":"a"})")),
            "w.jsonl:2:47: after: expected an earlier job, found 'b'");
}

TEST(NativeMistakes, NameEstimatesOutOfRange) {
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"durations":[1],"estimate":0})"),
            "w.jsonl:2:50: estimate: expected more than 0 s, found 0");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"durations":[1],"estimate":-1})"),
            "w.jsonl:2:50: estimate: expected more than 0 to 9000000000 s, found -1; the slot-time "
            "that a profile says");
}

TEST(NativeMistakes, NameSkewAndDemandOutOfRange) {
  EXPECT_EQ(in_stage(R"("work":5,"skew":[1,-1],"demand":{"cpu":-1})"),
            "w.jsonl:2:53: stages[0].skew[1]: expected 0 to 1e12, found -1\n"
            "w.jsonl:2:73: stages[0].demand.cpu: expected 0 to 1000000000000, found -1");
  EXPECT_EQ(in_stage(R"("work":5,"skew":[0,0])"),
            "w.jsonl:2:50: stages[0].skew: expected a part with work, found zeros only");
  EXPECT_EQ(in_stage(R"("durations":[5],"skew":[1])"),
            "w.jsonl:2:57: stages[0].skew: expected work beside skew, found none");
}

TEST(NativeMistakes, NameNodesThatAnAffinityCanNotMean) {
  EXPECT_EQ(in_stage(R"("durations":[5],"affinity":[3,-1,3,1.5,"n7",4294967295,3])"),
            "w.jsonl:2:64: stages[0].affinity[1]: expected a whole number from 0 to 4294967294, "
            "found -1\n"
            "w.jsonl:2:69: stages[0].affinity[3]: expected a whole number from 0 to 4294967294, "
            "found 1.5\n"
            "w.jsonl:2:73: stages[0].affinity[4]: expected a whole number from 0 to 4294967294, "
            "found a string\n"
            "w.jsonl:2:78: stages[0].affinity[5]: expected a whole number from 0 to 4294967294, "
            "found 4294967295\n"
            "w.jsonl:2:67: stages[0].affinity[2]: expected each node once, found 3 again\n"
            "w.jsonl:2:89: stages[0].affinity[6]: expected each node once, found 3 again");
  EXPECT_EQ(in_stage(R"("durations":[5],"affinity":[3,4,3,4])"),
            "w.jsonl:2:66: stages[0].affinity[2]: expected each node once, found 3 again\n"
            "w.jsonl:2:68: stages[0].affinity[3]: expected each node once, found 4 again");
  EXPECT_EQ(in_stage(R"("durations":[5],"affinity":3)"),
            "w.jsonl:2:61: stages[0].affinity: expected an array, found a number");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"durations":[1],"affinity":[7,7]})"),
            "w.jsonl:2:53: affinity[1]: expected each node once, found 7 again");
}

TEST(NativeMistakes, AreListedUpToFiftyAndCountedBeyond) {
  std::string text(first_line);
  for (int job = 0; job < 60; ++job) {
    text += fmt::format("\n{{\"job\":\"j{0}\",\"submit\":0,\"durations\":[1],\"k{0}\":1}}", job);
  }
  const auto checked = parse_native(text_file("w.jsonl", text));
  ASSERT_FALSE(checked);
  ASSERT_EQ(checked.error().list().size(), 51U);
  EXPECT_EQ(checked.error().list().back().text(), "w.jsonl: and 10 more mistakes");
}

TEST(NativeMistakes, OfOneCauseAreListedUpToThree) {
  std::string text(first_line);
  for (int job = 0; job < 60; ++job) text += "\nx";
  const auto checked = parse_native(text_file("w.jsonl", text));
  ASSERT_FALSE(checked);
  ASSERT_EQ(checked.error().list().size(), 4U);
  EXPECT_TRUE(checked.error().list().back().text().ends_with(": 57 more, the last in line 61"));
}

TEST(NativeMistakes, FreshAndFirstAreTimesAsManyAsDurations) {
  EXPECT_EQ(in_stage(R"("durations":[1,2],"fresh":[3],"first":[1,-2])"),
            "w.jsonl:2:60: stages[0].fresh: expected as many as durations, 2, found 1\n"
            "w.jsonl:2:75: stages[0].first[1]: expected 0 to 8300000 s, found -2");
  EXPECT_EQ(in_stage(R"("tasks":3,"duration":1,"first":[1,2])"),
            "w.jsonl:2:65: stages[0].first: expected as many as durations, 3, found 2");
  EXPECT_EQ(in_stage(R"("work":3,"first":[1,2])"),
            "w.jsonl:2:51: stages[0].first: expected durations beside first, found work; tasks "
            "that a partitioner cuts can't be listed");
  EXPECT_EQ(in_stage(R"("durations":[1],"first":[],"fresh":["x"])"),
            "w.jsonl:2:58: stages[0].first: expected as many as durations, found 0\n"
            "w.jsonl:2:70: stages[0].fresh[0]: expected a number, found a string");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"durations":[1],"fresh":[1,2]})"),
            "w.jsonl:2:47: fresh: expected as many as durations, 1, found 2");
  EXPECT_EQ(in_job(R"({"job":"a","submit":0,"fresh":[1,2]})"),
            "w.jsonl:2: durations: expected one of durations, tasks with duration, and work; found "
            "none");
}

}  // namespace
}  // namespace somnus::test
