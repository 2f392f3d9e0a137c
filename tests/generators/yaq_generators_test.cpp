// The generators of the Yaq paper's workloads: what is exact about them, and their moments.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "generators/generated.hpp"
#include "workload/native.hpp"

namespace somnus::test {
namespace {

constexpr const char* all_of_yaq[] = {"gridmix-fixed", "gridmix-mixed", "gridmix-ms", "hive-ms"};

TEST(YaqGenerators, KeepTheGivenNumberOfJobsActive) {
  for (const char* name : all_of_yaq) {
    const auto workload = made(name, {{"jobs", 50}, {"jobs_active", 8}, {"stagger_s", 20}});
    ASSERT_EQ(workload.jobs.size(), 50U) << name;
    std::set<double> starts;
    std::map<std::string, const JobSpec*> by_name;
    std::map<std::string, int> followers;
    for (const JobSpec& job : workload.jobs) {
      by_name[job.job] = &job;
      EXPECT_EQ(job.think, 0);
      if (job.after.empty()) {
        EXPECT_LE(job.submit, 20) << name;
        starts.insert(job.submit);
        continue;
      }
      EXPECT_EQ(std::stoi(job.after) + 8, std::stoi(job.job)) << name;
      EXPECT_EQ(by_name.at(job.after)->submit, job.submit) << name;
      ++followers[job.after];
    }
    EXPECT_EQ(starts.size(), 8U) << name << ": chains start apart";
    EXPECT_GT(*starts.rbegin() - *starts.begin(), 5) << name;
    EXPECT_EQ(followers.size(), 42U) << name << ": all but the last of each chain";
  }
}

TEST(YaqGenerators, StartAllChainsAtOnceWithoutStagger) {
  const auto workload = made("gridmix-fixed", {{"jobs", 6}, {"jobs_active", 3}, {"stagger_s", 0}});
  std::vector<std::string> chain;
  for (const JobSpec& job : workload.jobs) {
    EXPECT_EQ(job.submit, 0);
    chain.push_back(job.job + "<" + job.after);
  }
  EXPECT_EQ(chain, (std::vector<std::string>{"0<", "1<", "2<", "3<0", "4<1", "5<2"}));
}

TEST(YaqGenerators, SubmitAtIndependentTimesWithoutAnActiveNumber) {
  for (const char* name : all_of_yaq) {
    Parameters open = {{"jobs", 4000}, {"jobs_active", 0}, {"jobs_per_minute", 30}};
    const std::string width = name == std::string("hive-ms") ? "mappers_mean" : "tasks_per_job";
    open[width] = 1;
    const auto workload = made(name, open);
    for (const JobSpec& job : workload.jobs) EXPECT_EQ(job.after, "");
    const auto [mean, sd] = moments(waits(workload));
    EXPECT_NEAR(mean, 2, 0.1) << name;
    EXPECT_NEAR(sd, 2, 0.15) << name << ": exponential";
  }
}

TEST(YaqGenerators, SpreadJobsOverTwoQueuesByTheShareOfB) {
  for (const char* name : all_of_yaq) {
    std::map<std::string, int> jobs;
    for (const JobSpec& job : made(name, {{"jobs", 1000}, {"queue_b_share", 0.3}}).jobs) {
      ++jobs[job.queue];
    }
    EXPECT_EQ(jobs.size(), 2U) << name;
    EXPECT_NEAR(jobs["B"], 300, 60) << name;
    EXPECT_EQ(jobs["A"] + jobs["B"], 1000) << name;
    for (const JobSpec& job : made(name).jobs) ASSERT_EQ(job.queue, "default") << name;
    for (const JobSpec& job : made(name, {{"queue_b_share", 1}}).jobs) {
      ASSERT_EQ(job.queue, "B") << name;
    }
  }
}

TEST(YaqGenerators, GiveAJobTheSameTasksHoweverJobsAreSubmitted) {
  for (const char* name : all_of_yaq) {
    const auto tasks_by_name = [&](const Parameters& parameters) {
      std::map<std::string, std::vector<std::vector<double>>> tasks;
      for (const JobSpec& job : made(name, parameters).jobs) {
        for (const StageSpec& stage : job.stages) tasks[job.job].push_back(stage.durations);
      }
      return tasks;
    };
    EXPECT_EQ(tasks_by_name({{"jobs_active", 5}, {"stagger_s", 9}, {"queue_b_share", 0.5}}),
              tasks_by_name({{"jobs_active", 0}}))
        << name;
  }
}

// A change here changes every published workload that is known by its seed.
TEST(YaqGenerators, MakeTheSameFileOnEveryMachine) {
  const Parameters gridmix = {
      {"jobs", 3}, {"tasks_per_job", 3}, {"jobs_active", 2}, {"queue_b_share", 0.5}};
  EXPECT_EQ(native_text(made("gridmix-ms", gridmix)),
            R"({"somnus_workload": 1, "name": "gridmix-ms"}
{"job": "1", "user": "gridmix", "submit": 27.527, "queue": "A", "durations": [49.061, 47.186, 49.562]}
{"job": "0", "user": "gridmix", "submit": 51.542, "queue": "B", "durations": [97.556, 96.253, 107.061]}
{"job": "2", "user": "gridmix", "submit": 51.542, "after": "0", "queue": "A", "durations": [38.796, 35.309, 33.715]}
)");
  EXPECT_EQ(native_text(made("hive-ms", {{"jobs", 2}, {"mappers_mean", 3}})),
            R"({"somnus_workload": 1, "name": "hive-ms"}
{"job": "0", "user": "hive", "submit": 1.212, "stages": [{"stage": 0, "durations": [26.223, 16.732]}, {"stage": 1, "parents": [0], "durations": [6.982]}]}
{"job": "1", "user": "hive", "submit": 4.773, "stages": [{"stage": 0, "durations": [2.208, 2.496]}, {"stage": 1, "parents": [0], "durations": [5.328]}]}
)");
}

TEST(GridmixFixed, GivesEveryTaskTheSameTime) {
  const auto workload = made("gridmix-fixed", {{"jobs", 7}, {"tasks_per_job", 30}, {"task_s", 10}});
  ASSERT_EQ(workload.jobs.size(), 7U);
  for (const JobSpec& job : workload.jobs) {
    EXPECT_EQ(job.user, "gridmix");
    ASSERT_EQ(job.stages.size(), 1U);
    EXPECT_EQ(job.stages[0].durations, std::vector<double>(30, 10));
  }
}

TEST(GridmixFixed, HasAHundredTasksOfFiveSecondsByDefault) {
  for (const JobSpec& job : made("gridmix-fixed").jobs) {
    EXPECT_EQ(job.stages[0].durations, std::vector<double>(100, 5));
  }
}

TEST(GridmixMixed, HasFourShortJobsForALongOne) {
  int short_jobs = 0;
  const auto workload = made("gridmix-mixed", {{"jobs", 2000}});
  for (const JobSpec& job : workload.jobs) {
    const bool is_short = job.stages[0].durations == std::vector<double>(100, 5);
    short_jobs += is_short ? 1 : 0;
    if (!is_short) {
      ASSERT_EQ(job.stages[0].durations, std::vector<double>(100, 50));
    }
  }
  EXPECT_NEAR(short_jobs, 1600, 72) << "four standard errors";
}

TEST(GridmixMs, DrawsAJobsMeanAndKeepsItsTasksAroundIt) {
  std::vector<double> means;
  for (const JobSpec& job : made("gridmix-ms", {{"jobs", 20000}, {"tasks_per_job", 5}}).jobs) {
    const auto& tasks = job.stages[0].durations;
    ASSERT_EQ(tasks.size(), 5U);
    const auto [least, most] = std::ranges::minmax(tasks);
    EXPECT_LE(most - 0.001, (least + 0.001) * 1.1 / 0.9);
    means.push_back(moments(tasks).mean);
  }
  EXPECT_NEAR(moments(means).mean, 49, 1.4);
  EXPECT_NEAR(moments(means).sd, 49, 2);
}

TEST(GridmixMs, DrawsEveryTaskForItselfOnRequest) {
  const auto workload =
      made("gridmix-ms", {{"jobs", 200}, {"tasks_per_job", 100}, {"per_task", true}});
  EXPECT_NEAR(moments(durations(workload)).mean, 49, 1.4);
  EXPECT_NEAR(moments(durations(workload)).sd, 49, 2);
  for (const JobSpec& job : workload.jobs) {
    EXPECT_GT(moments(job.stages[0].durations).sd, 20) << "tasks of one job are unlike";
  }
}

TEST(GridmixMs, LengthensExactlyTheLongestFifthForAHeavyTail) {
  for (const bool per_task : {false, true}) {
    const Parameters base = {{"jobs", 37}, {"tasks_per_job", 11}, {"per_task", per_task}};
    Parameters heavy = base;
    heavy["extra_s"] = 500;
    const auto before = durations(made("gridmix-ms", base));
    const auto after = durations(made("gridmix-ms", heavy));
    ASSERT_EQ(after.size(), before.size());
    double longest_kept = 0;
    double shortest_lengthened = 1e9;
    std::size_t lengthened = 0;
    for (std::size_t at = 0; at < before.size(); ++at) {
      if (after[at] == before[at]) {
        longest_kept = std::max(longest_kept, before[at]);
        continue;
      }
      EXPECT_NEAR(after[at], before[at] + 500, 1e-9);
      shortest_lengthened = std::min(shortest_lengthened, before[at]);
      ++lengthened;
    }
    EXPECT_EQ(lengthened, before.size() / 5);
    EXPECT_LE(longest_kept, shortest_lengthened);
  }
}

TEST(HiveMs, HasAMapAndThenAReduceStage) {
  const auto workload = made("hive-ms");
  ASSERT_EQ(workload.jobs.size(), 185U);
  for (const JobSpec& job : workload.jobs) {
    EXPECT_EQ(job.user, "hive");
    ASSERT_EQ(job.stages.size(), 2U);
    EXPECT_TRUE(job.stages[0].parents.empty());
    EXPECT_EQ(job.stages[1].parents, std::vector<std::uint32_t>{0});
    EXPECT_GE(job.stages[0].durations.size(), 1U);
    EXPECT_GE(job.stages[1].durations.size(), 1U);
  }
}

TEST(HiveMs, HasThePapersWidthsEvenInAFewJobs) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto workload = made("hive-ms", {}, seed);
    EXPECT_NEAR(moments(widths(workload, 0)).mean, 57.9, 0.03 * 57.9) << "seed " << seed;
    EXPECT_NEAR(moments(widths(workload, 1)).mean, 1.5, 0.03 * 1.5) << "seed " << seed;
  }
}

TEST(HiveMs, DrawsTheWidthsOfItsStagesIndependently) {
  const auto workload = made("hive-ms", {{"jobs", 5000}});
  const auto mappers = widths(workload, 0);
  const auto reducers = widths(workload, 1);
  EXPECT_NEAR(moments(mappers).sd, std::sqrt(57.9 * 56.9), 2) << "geometric";
  EXPECT_NEAR(moments(reducers).sd, std::sqrt(1.5 * 0.5), 0.03);
  std::vector<double> products;
  for (std::size_t job = 0; job < mappers.size(); ++job) {
    products.push_back(mappers[job] * reducers[job]);
  }
  const double covariance = moments(products).mean - moments(mappers).mean * moments(reducers).mean;
  EXPECT_LT(std::abs(covariance) / (moments(mappers).sd * moments(reducers).sd),
            4 / std::sqrt(5000));
}

TEST(HiveMs, HasThePapersMeanAndDeviationOfTaskDurations) {
  const auto all = durations(made("hive-ms", {{"jobs", 30000}, {"mappers_mean", 5}}));
  EXPECT_NEAR(moments(all).mean, 22.9, 0.02 * 22.9);
  EXPECT_NEAR(moments(all).sd, 27.8, 0.05 * 27.8);
}

// Of the log-variance, by the usual estimates of a one-way analysis.
TEST(HiveMs, VariesInsideAStageByTheShareWithin) {
  for (const double within : {0.0, 0.25, 1.0}) {
    const auto workload =
        made("hive-ms", {{"jobs", 4000}, {"mappers_mean", 30}, {"within", within}});
    double inside = 0;
    double freedom = 0;
    std::vector<double> stage_means;
    for (const JobSpec& job : workload.jobs) {
      std::vector<double> logs;
      for (const double task : job.stages[0].durations) logs.push_back(std::log(task));
      const auto [mean, sd] = moments(logs);
      inside += sd * sd * static_cast<double>(logs.size());
      freedom += static_cast<double>(logs.size()) - 1;
      if (logs.size() >= 20) stage_means.push_back(mean);
    }
    const double variance = std::log1p(std::pow(27.8 / 22.9, 2));
    EXPECT_NEAR(inside / freedom, within * variance, 0.02 * variance) << within;
    const double between = std::pow(moments(stage_means).sd, 2);
    EXPECT_NEAR(between, (1 - within) * variance, 0.09 * variance) << within;
  }
}

TEST(HiveMs, HasTasksOfOneDurationWithoutDeviation) {
  for (const double task : durations(made("hive-ms", {{"sd_s", 0}, {"mean_s", 4}}))) {
    ASSERT_EQ(task, 4);
  }
}

TEST(YaqGenerators, NameParametersThatMakeTooManyTasks) {
  EXPECT_EQ(mistakes_of("gridmix-ms", {{"jobs", 1000000}, {"tasks_per_job", 1000}}),
            "c.toml:7:3: tasks_per_job: expected parameters for at most 100000000 tasks, found "
            "some for about 1000000000");
  EXPECT_EQ(mistakes_of("hive-ms", {{"jobs", 1000000}, {"mappers_mean", 998.5}}),
            "c.toml:7:3: mappers_mean: expected parameters for at most 100000000 tasks, found "
            "some for about 1000000000");
}

}  // namespace
}  // namespace somnus::test
