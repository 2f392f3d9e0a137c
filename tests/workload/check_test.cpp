#include "workload/check.hpp"

#include <limits>

#include "workload/support.hpp"

namespace somnus::test {
namespace {

std::string mistakes(const WorkloadSpec& workload) {
  return mistakes_in(check_workload(workload, {.file = "w"}));
}

JobSpec job(std::string name, std::vector<double> durations) {
  return {.job = std::move(name), .stages = {{.durations = std::move(durations)}}};
}

TEST(CheckWorkload, FindsNothingInASoundOne) {
  EXPECT_EQ(mistakes({.jobs = {job("a", {0, 1}), job("b", {longest_exact_seconds})}}), "none");
}

TEST(CheckWorkload, NamesTheJobByItsIndex) {
  EXPECT_EQ(mistakes({.jobs = {job("a", {1}), job("a", {-1})}}),
            "w: jobs[1].job: expected a name of its own, found 'a' again\n"
            "w: jobs[1].stages[0].durations[0]: expected 0 to 8300000 s, found -1");
  EXPECT_EQ(mistakes({}), "w: jobs: expected at least one job, found none");
}

TEST(CheckWorkload, RefusesWhatNoFileCanSay) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  JobSpec odd = job("\xff", {nan, infinite});
  odd.weight = infinite;
  odd.user = "";
  odd.curve = {nan, 0, 0, 0};
  EXPECT_EQ(mistakes({.jobs = {odd}}),
            "w: jobs[0].job: expected UTF-8 text, found other bytes\n"
            "w: jobs[0].user: expected a name, found an empty one\n"
            "w: jobs[0].weight: expected 0.001 to 1000, found inf\n"
            "w: jobs[0].curve: expected finite coefficients; time on x slots is a0 + a1 x + a2 / x "
            "+ a3 ln x times the least time\n"
            "w: jobs[0].stages[0].durations[0]: expected 0 to 8300000 s, found nan\n"
            "w: jobs[0].stages[0].durations[1]: expected 0 to 8300000 s (96 days: a log keeps no "
            "longer time to the nanosecond), found inf");
  StageSpec both{.durations = {1}, .demand = {1}, .work = 2};
  EXPECT_EQ(mistakes({.jobs = {{.job = "a", .stages = {both}}}}),
            "w: jobs[0].stages[0]: expected either durations or work, found both\n"
            "w: jobs[0].stages[0].demand: expected at most 0 declared kinds, found 1");
}

TEST(CheckWorkload, HoldsUsersAndFollowersToTheRulesOfTheFile) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  JobSpec first = job("a", {1});
  first.think = 1;
  JobSpec second = job("b", {1});
  second.after = "c";
  second.estimate = infinite;
  JobSpec third = job("c", {1});
  third.after = "a";
  third.think = infinite;
  EXPECT_EQ(mistakes({.users = {{"ann", infinite}, {"default", 2}, {"default", 2}},
                      .jobs = {first, second, third}}),
            "w: users.ann: expected 0.001 to 1000, found inf\n"
            "w: users.default: expected each user once, found it again\n"
            "w: jobs[0].think: expected after beside think, found none\n"
            "w: jobs[1].after: expected an earlier job, found 'c'; did you mean 'a'?\n"
            "w: jobs[1].estimate: expected more than 0 to 9000000000 s, found inf; the slot-time "
            "that a profile says\n"
            "w: jobs[2].think: expected 0 to 8300000 s (96 days: a log keeps no longer time to the "
            "nanosecond), found inf\n"
            "w: users.ann: expected a user who submits a job, found one who submits none; known "
            "are default");
}

TEST(CheckWorkload, RefusesASlotTimeOfAJobBeyondInt64Once) {
  WorkloadSpec workload;
  for (int index = 0; index < 3; ++index) {
    workload.jobs.push_back(job(std::to_string(index), std::vector<double>(1500, 4e6)));
  }
  EXPECT_EQ(mistakes(workload), "none");
  JobSpec& large = workload.jobs[1];
  for (std::uint32_t label = 1; label < 4; ++label) {
    large.stages.push_back({.stage = label, .durations = std::vector<double>(1500, 4e6)});
  }
  EXPECT_EQ(mistakes(workload),
            "w: jobs[1].stages[1]: expected at most 9000000000 s of slot-time in a job");
}

TEST(CheckWorkload, LetsJobsComeYearsLater) {
  JobSpec late = job("b", {1});
  late.submit = last_given_seconds;
  EXPECT_EQ(mistakes({.jobs = {job("a", {1}), late}}), "none");
  late.submit *= 2;
  EXPECT_EQ(mistakes({.jobs = {job("a", {1}), late}}),
            "w: jobs[1].submit: expected 0 to 1000000000 s, found 2000000000");
}

}  // namespace
}  // namespace somnus::test
