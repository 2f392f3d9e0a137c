// Generators of several users' jobs: what is exact about them, and what their parameters change.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "generators/generated.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

// On that many free slots, where the work is cut evenly.
double alone(const JobSpec& job, double slots) {
  double sum = 0;
  for (const StageSpec& stage : job.stages) {
    sum += stage.work / slots;
    if (!stage.durations.empty()) sum += std::ranges::max(stage.durations);
  }
  return sum;
}

// "load(1) -> work -> collect(1)", by its shape alone.
bool is_chain(const JobSpec& job) {
  return job.stages.size() == 3 && job.stages[0].durations.size() == 1 && job.stages[1].work > 0 &&
         job.stages[2].durations.size() == 1 && job.stages[0].parents.empty() &&
         job.stages[1].parents == std::vector{job.stages[0].stage} &&
         job.stages[2].parents == std::vector{job.stages[1].stage};
}

std::map<std::string, std::vector<double>> submits_by_user(const WorkloadSpec& workload) {
  std::map<std::string, std::vector<double>> submits;
  for (const JobSpec& job : workload.jobs) submits[job.user].push_back(job.submit);
  return submits;
}

std::vector<double> times(std::size_t each, const std::vector<double>& bursts) {
  std::vector<double> all;
  for (const double burst : bursts) all.insert(all.end(), each, burst);
  return all;
}

std::set<std::string> names(const WorkloadSpec& workload, const std::string& of_user) {
  std::set<std::string> found;
  for (const JobSpec& job : workload.jobs) {
    if (job.user == of_user) found.insert(job.job);
  }
  return found;
}

// The lines of one kind of user, as they stand in the file.
std::string lines_of(const WorkloadSpec& workload, const std::string& kind) {
  WorkloadSpec part;
  for (const JobSpec& job : workload.jobs) {
    if (job.user.starts_with(kind)) part.jobs.push_back(job);
  }
  return native_text(part);
}

TEST(UwfqScenario1, HasThePapers184JobsAtTheirTimes) {
  const auto workload = made("uwfq-scenario-1");
  EXPECT_EQ(workload.jobs.size(), 184U);
  const std::map<std::string, std::vector<double>> expected = {
      {"user1", times(20, {0.1, 30, 60, 90})},
      {"user2", times(20, {0.2, 30.1, 60.1, 90.1})},
      {"user3",
       {0.2, 6.62, 21.86, 34.12, 35.47, 40.23, 71.53, 84.45, 104.84, 106.26, 108.63, 121.23}},
      {"user4", {0.3, 3.0, 4.39, 4.79, 4.84, 11.28, 18.22, 23.21, 28.18, 30.03, 36.82, 38.79}}};
  EXPECT_EQ(submits_by_user(workload), expected);
  EXPECT_EQ(workload.jobs.front().job, "user1-0");
  EXPECT_EQ(workload.jobs.back().job, "user3-11");
  EXPECT_EQ(names(workload, "user2").size(), 80U);
  EXPECT_TRUE(workload.users.empty());
}

TEST(UwfqScenario2, HasFourUsersWithThirtyJobsEachAtOnce) {
  const auto workload = made("uwfq-scenario-2");
  const std::map<std::string, std::vector<double>> expected = {{"user1", times(30, {0.1})},
                                                               {"user2", times(30, {0.2})},
                                                               {"user3", times(30, {0.3})},
                                                               {"user4", times(30, {0.4})}};
  EXPECT_EQ(submits_by_user(workload), expected);
}

TEST(UwfqScenarios, TakeThePapersTimesOnTheIdleCluster) {
  for (const auto& [name, total, idle] :
       {std::tuple("uwfq-scenario-1", 25.0, 2.25), std::tuple("uwfq-scenario-2", 11.5, 0.90)}) {
    for (const JobSpec& job : made(name).jobs) {
      ASSERT_TRUE(is_chain(job)) << job.job;
      EXPECT_NEAR(slot_time(job), total, 0.05);
      EXPECT_TRUE(job.stages[1].skew.empty());
      EXPECT_NEAR(alone(job, 32), idle, 1e-9);
      EXPECT_EQ(job.estimate, 0);
    }
  }
}

TEST(UwfqScenarios, FollowTheirParameters) {
  const auto workload = made("uwfq-scenario-2", {{"work_s", 64},
                                                 {"latency_s", 0},
                                                 {"load_s", 0.5},
                                                 {"collect_s", 0.25},
                                                 {"skew", 5},
                                                 {"estimate_factor", 0.127}});
  std::vector<double> skew(32, 1);
  skew[0] = 5;
  for (const JobSpec& job : workload.jobs) {
    EXPECT_EQ(job.stages[0].durations, std::vector{0.5});
    EXPECT_EQ(job.stages[1].work, 64);
    EXPECT_EQ(job.stages[1].skew, skew);
    EXPECT_EQ(job.stages[2].durations, std::vector{0.25});
    EXPECT_NEAR(job.estimate, 0.127 * slot_time(job), 1e-6);
  }
  EXPECT_EQ(mistakes_of("uwfq-scenario-1", {{"skew", 0.5}, {"burst", 3}}),
            "c.toml:7:3: burst: unknown parameter of generator uwfq-scenario-1; known are work_s, "
            "latency_s, load_s, collect_s, skew, estimate_factor\n"
            "c.toml:7:3: skew: expected a number from 1 to 1000000, found 0.5");
}

// A change here changes every published workload that is known by its seed.
TEST(MultiUser, MakesTheSameFileOnEveryMachine) {
  EXPECT_EQ(
      native_text(made("multi-user",
                       {{"poisson_users", 1},
                        {"burst_users", 0},
                        {"closed_users", 1},
                        {"closed_jobs", 2},
                        {"span_s", 5},
                        {"weight_high", 2}},
                       6)),
      R"({"somnus_workload": 1, "name": "multi-user", "users": {"poisson1": 1.372203, "closed1": 1.099573}}
{"job": "closed1-0-0", "user": "closed1", "submit": 0.704, "stages": [{"stage": 0, "durations": [0.1]}, {"stage": 1, "parents": [0], "work": 24.142}, {"stage": 2, "parents": [1], "durations": [0.02]}]}
{"job": "closed1-0-1", "user": "closed1", "submit": 0.704, "after": "closed1-0-0", "think": 1, "stages": [{"stage": 0, "durations": [0.1]}, {"stage": 1, "parents": [0], "work": 21.522}, {"stage": 2, "parents": [1], "durations": [0.02]}]}
{"job": "poisson1-0", "user": "poisson1", "submit": 1.12, "stages": [{"stage": 0, "durations": [0.1]}, {"stage": 1, "parents": [0], "work": 12.999}, {"stage": 2, "parents": [1], "durations": [0.02]}]}
)");
}

TEST(MultiUser, LeavesTheOthersAsTheyWereWhenOneKindHasMoreUsers) {
  const Parameters few = {{"poisson_users", 2}, {"closed_users", 2}, {"think_s", 3}};
  const Parameters more = {{"poisson_users", 9}, {"closed_users", 2}, {"think_s", 3}};
  const auto before = made("multi-user", few);
  const auto after = made("multi-user", more);
  EXPECT_EQ(lines_of(after, "closed"), lines_of(before, "closed"));
  EXPECT_EQ(lines_of(after, "burst"), lines_of(before, "burst"));
  EXPECT_EQ(lines_of(after, "poisson1"), lines_of(before, "poisson1"));
  EXPECT_NE(lines_of(after, "poisson1"), lines_of(after, "poisson2"));
}

TEST(MultiUser, GivesEachBurstUserItsBursts) {
  const auto workload = made("multi-user", {{"poisson_users", 0},
                                            {"burst_users", 3},
                                            {"burst_jobs", 7},
                                            {"burst_interval_s", 10},
                                            {"span_s", 50}});
  const auto submits = submits_by_user(workload);
  ASSERT_EQ(submits.size(), 3U);
  for (const auto& [user, at] : submits) {
    EXPECT_LT(at.front(), 10) << user;
    std::vector<double> bursts;
    for (int burst = 0; burst < 5; ++burst) bursts.push_back(at.front() + 10 * burst);
    const auto expected = times(7, bursts);
    ASSERT_EQ(at.size(), expected.size());
    for (std::size_t job = 0; job < at.size(); ++job) EXPECT_NEAR(at[job], expected[job], 0.002);
  }
}

// 400 users over 600 s at 6 a minute: 24,000 jobs, give or take 155.
TEST(MultiUser, GivesPoissonUsersTheirRateAndExponentialWaits) {
  const auto workload =
      made("multi-user",
           {{"poisson_users", 400}, {"burst_users", 0}, {"jobs_per_minute", 6}, {"span_s", 600}});
  EXPECT_NEAR(static_cast<double>(workload.jobs.size()), 24000, 800);
  std::size_t waits = 0;
  std::size_t above_the_mean = 0;
  for (const auto& [user, at] : submits_by_user(workload)) {
    EXPECT_LE(at.back(), 600);
    for (std::size_t job = 1; job < at.size(); ++job) {
      ++waits;
      if (at[job] - at[job - 1] > 10) ++above_the_mean;
    }
  }
  const double share = static_cast<double>(above_the_mean) / static_cast<double>(waits);
  EXPECT_NEAR(share, std::exp(-1.0), 0.02);
}

TEST(MultiUser, ChainsTheJobsOfClosedUsers) {
  const auto workload = made("multi-user", {{"poisson_users", 0},
                                            {"burst_users", 0},
                                            {"closed_users", 3},
                                            {"closed_jobs_at_once", 2},
                                            {"closed_jobs", 4},
                                            {"think_s", 1.5}});
  EXPECT_EQ(workload.jobs.size(), 24U);
  std::map<std::string, const JobSpec*> by_name;
  for (const JobSpec& job : workload.jobs) by_name[job.job] = &job;
  std::map<std::string, int> followers;
  for (const JobSpec& job : workload.jobs) {
    EXPECT_LE(job.submit, 1.5);
    if (job.after.empty()) {
      EXPECT_EQ(job.think, 0);
      EXPECT_TRUE(job.job.ends_with("-0")) << job.job;
      continue;
    }
    const JobSpec& before = *by_name.at(job.after);
    EXPECT_EQ(before.user, job.user);
    EXPECT_EQ(before.submit, job.submit);
    EXPECT_EQ(job.think, 1.5);
    ++followers[job.after];
  }
  EXPECT_EQ(followers.size(), 18U) << "six chains of three steps";
  for (const auto& [name, count] : followers) EXPECT_EQ(count, 1) << name;
}

TEST(MultiUser, MixesKindsOfJobsByTheirShares) {
  const Parameters shares = {{"poisson_users", 0},     {"burst_users", 1},   {"burst_jobs", 10000},
                             {"burst_interval_s", 30}, {"span_s", 30},       {"share_short", 0.5},
                             {"share_medium", 0.3},    {"work_short_s", 10}, {"work_medium_s", 100},
                             {"work_long_s", 1000},    {"spread", 0.25},     {"load_s", 0.2},
                             {"latency_s", 0.3},       {"collect_s", 0.05}};
  std::array<double, 3> jobs{};
  std::array<double, 3> works{};
  for (const JobSpec& job : made("multi-user", shares).jobs) {
    ASSERT_TRUE(is_chain(job)) << job.job;
    EXPECT_EQ(job.stages[0].durations, std::vector{0.5});
    EXPECT_EQ(job.stages[2].durations, std::vector{0.05});
    const double work = job.stages[1].work;
    const std::size_t kind = work < 50 ? 0 : work < 500 ? 1 : 2;
    const double nominal = std::pow(10, kind + 1);
    EXPECT_GE(work, 0.75 * nominal - 0.001);
    EXPECT_LE(work, 1.25 * nominal + 0.001);
    jobs[kind] += 1;
    works[kind] += work / nominal;
  }
  EXPECT_NEAR(jobs[0], 5000, 200);
  EXPECT_NEAR(jobs[1], 3000, 200);
  EXPECT_NEAR(jobs[2], 2000, 200);
  for (std::size_t kind = 0; kind < 3; ++kind) EXPECT_NEAR(works[kind] / jobs[kind], 1, 0.02);
}

TEST(MultiUser, WeighsUsersBetweenTheGivenWeights) {
  const Parameters base = {{"poisson_users", 500}, {"burst_users", 0}};
  EXPECT_TRUE(made("multi-user", base).users.empty());
  Parameters weighted = base;
  weighted["weight_low"] = 0.5;
  weighted["weight_high"] = 4.5;
  const auto workload = made("multi-user", weighted);
  EXPECT_EQ(workload.users.size(), submits_by_user(workload).size());
  double sum = 0;
  for (const UserSpec& user : workload.users) {
    EXPECT_GE(user.weight, 0.5);
    EXPECT_LE(user.weight, 4.5);
    sum += user.weight;
  }
  EXPECT_NEAR(sum / static_cast<double>(workload.users.size()), 2.5, 0.2);
  EXPECT_EQ(lines_of(workload, "poisson"), lines_of(made("multi-user", base), "poisson"));
}

TEST(MultiUser, ListsNoUserWhoSubmitsNothing) {
  const auto workload = made("multi-user", {{"poisson_users", 200},
                                            {"burst_users", 0},
                                            {"jobs_per_minute", 1},
                                            {"span_s", 30},
                                            {"weight_high", 2}});
  const auto submitters = submits_by_user(workload);
  EXPECT_LT(submitters.size(), 200U);
  EXPECT_EQ(workload.users.size(), submitters.size());
}

TEST(MultiUser, NamesParametersThatDoNotGoTogether) {
  EXPECT_EQ(mistakes_of("multi-user", {{"poisson_users", 0}, {"burst_users", 0}}),
            "c.toml:7:3: poisson_users: expected at least one of poisson_users, burst_users and "
            "closed_users, found 0 of each");
  EXPECT_EQ(mistakes_of("multi-user", {{"share_short", 0.75}, {"share_medium", 0.5}}),
            "c.toml:7:3: share_medium: expected share_short + share_medium of at most 1, found "
            "1.25");
  EXPECT_EQ(mistakes_of("multi-user", {{"weight_low", 3}, {"weight_high", 2}}),
            "c.toml:7:3: weight_high: expected at least weight_low = 3, found 2");
  EXPECT_EQ(mistakes_of("multi-user", {{"span_s", 0}}),
            "c.toml:7:3: span_s: expected time for at least one job, found none within 0 s");
  EXPECT_EQ(
      mistakes_of("multi-user", {{"closed_users", 1000000}, {"closed_jobs", 1000000}}),
      "c.toml:7:3: span_s: expected parameters for at most 2000000 jobs, found some for about "
      "1000000000192");
}

}  // namespace
}  // namespace somnus::test
