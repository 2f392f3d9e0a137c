// Workloads cut, drawn anew, scaled and brought to a load: by examples, and by what has to hold for
// every one.
#include "workload/shape.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "generators/generated.hpp"
#include "workload/drawing.hpp"
#include "workload/offered_load.hpp"

namespace somnus::test {
namespace {

Cluster slots(std::uint32_t count, double slowdown = 1) {
  Cluster cluster;
  cluster.groups = {{.count = count, .slots = 1, .slowdown = slowdown}};
  return cluster;
}

/// Jobs a, b, c, ... of one stage each, submitted every 10 s.
WorkloadSpec every_ten_seconds(const std::vector<std::vector<double>>& durations) {
  WorkloadSpec spec{.name = "demo"};
  for (std::size_t at = 0; at < durations.size(); ++at) {
    spec.jobs.push_back({.job = std::string(1, static_cast<char>('a' + at)),
                         .submit = 10 * static_cast<double>(at),
                         .stages = {{.durations = durations[at]}}});
  }
  return spec;
}

WorkloadSpec shaped_to(const WorkloadSpec& spec, const WorkloadShape& shape,
                       std::uint64_t seed = 1) {
  return value_or_throw(shaped(spec, shape, slots(10), seed, {}));
}

std::string refused(const WorkloadSpec& spec, const WorkloadShape& shape) {
  return mistakes_in(shaped(spec, shape, slots(10), 1, {.file = "c.toml", .line = 7, .column = 3}));
}

std::string names(const WorkloadSpec& spec) {
  std::string all;
  for (const JobSpec& job : spec.jobs) all += (all.empty() ? "" : " ") + job.job;
  return all;
}

std::vector<double> submits(const WorkloadSpec& spec) {
  std::vector<double> all;
  for (const JobSpec& job : spec.jobs) all.push_back(job.submit);
  return all;
}

TEST(Shape, LeavesAWorkloadAloneWhereItSaysNothing) {
  const WorkloadSpec spec = every_ten_seconds({{1}, {2}});
  EXPECT_EQ(submits(shaped_to(spec, {})), submits(spec));
}

TEST(Shape, KeepsAWindowWhichBeginsAtZero) {
  WorkloadSpec spec = every_ten_seconds({{1}, {1}, {1}, {1}, {1}});
  const WorkloadSpec window = shaped_to(spec, {.from_s = 10, .until_s = 40});
  EXPECT_EQ(names(window), "b c d");
  EXPECT_EQ(submits(window), (std::vector<double>{0, 10, 20}));
  EXPECT_EQ(names(shaped_to(spec, {.from_s = 10, .jobs = 2})), "b c");
  EXPECT_EQ(names(shaped_to(spec, {.jobs = 9})), "a b c d e");
}

TEST(Shape, KeepsAFollowerWithWhomItFollows) {
  WorkloadSpec spec = every_ten_seconds({{1}, {1}, {1}, {1}, {1}});
  spec.jobs[3].after = "a";
  spec.jobs[4].after = "c";
  EXPECT_EQ(names(shaped_to(spec, {.from_s = 10, .until_s = 25})), "b c e");
}

TEST(Shape, ForgetsWeightsOfUsersWhoseJobsAreCut) {
  WorkloadSpec spec = every_ten_seconds({{1}, {1}});
  spec.jobs[0].user = "ann";
  spec.jobs[1].user = "bob";
  spec.users = {{"ann", 2}, {"bob", 3}};
  const WorkloadSpec late = shaped_to(spec, {.from_s = 5});
  ASSERT_EQ(late.users.size(), 1U);
  EXPECT_EQ(late.users[0].user, "bob");
}

TEST(Shape, SpreadsScaledTasksOverTheDurationsThatThereWere) {
  const WorkloadSpec spec = every_ten_seconds({{1, 2, 3, 4}, {5}});
  const WorkloadSpec half = shaped_to(spec, {.scale_tasks = 0.5});
  EXPECT_EQ(half.jobs[0].stages[0].durations, (std::vector<double>{2, 4}));
  EXPECT_EQ(half.jobs[1].stages[0].durations, (std::vector<double>{5}));  // at least one
  const WorkloadSpec twice = shaped_to(spec, {.scale_tasks = 2});
  EXPECT_EQ(twice.jobs[0].stages[0].durations, (std::vector<double>{1, 1, 2, 2, 3, 3, 4, 4}));
}

TEST(Shape, ScalesWorkEstimateAndCurveWithTheTasks) {
  WorkloadSpec spec = every_ten_seconds({{1, 1}});
  spec.jobs[0].stages.push_back({.stage = 1, .work = 8});
  spec.jobs[0].estimate = 20;
  spec.jobs[0].curve = {0.1, 0.01, 2, 0.05};
  const JobSpec scaled = shaped_to(spec, {.scale_tasks = 3}).jobs[0];
  EXPECT_EQ(scaled.stages[1].work, 24);
  EXPECT_DOUBLE_EQ(scaled.estimate, 60);
  const auto time = [](const std::vector<double>& a, double x) {
    return a[0] + a[1] * x + a[2] / x + a[3] * std::log(x);
  };
  for (const double x : {1.0, 2.0, 7.0}) {  // on three times the slots what it took on x
    EXPECT_NEAR(time(scaled.curve, 3 * x), time(spec.jobs[0].curve, x), 1e-12) << x;
  }
}

TEST(Shape, BringsTheLoadToWhatIsAsked) {
  // 4 jobs of 30 slot-seconds, one each 10 s: 3 slots' worth, of 10 slots.
  const WorkloadSpec spec = every_ten_seconds({{10, 20}, {30}, {15, 15}, {30}});
  EXPECT_DOUBLE_EQ(offered_load(spec, slots(10)).share, 0.3);
  EXPECT_EQ(offered_load(spec, slots(10)).kind, "slots");
  EXPECT_DOUBLE_EQ(offered_load(spec, slots(10, 2)).share, 0.6) << "nodes half as fast";
  const WorkloadSpec loaded = shaped_to(spec, {.load = 0.6});
  EXPECT_EQ(submits(loaded), (std::vector<double>{0, 5, 10, 15}));
}

TEST(OfferedLoad, IsOfTheKindOfWhichMostIsAsked) {
  WorkloadSpec spec = every_ten_seconds({{10}, {10}});
  spec.resources = {"mem", "cpu", "gpu"};
  for (JobSpec& job : spec.jobs) job.stages[0].demand = {4, 1, 7};
  Cluster cluster;
  cluster.resources = {"cpu", "mem"};  // no gpu: it does not count
  Resources capacity;
  capacity.set(0, 2);
  capacity.set(1, 16);
  cluster.groups = {{.count = 1, .slots = 0, .capacity = capacity}};
  const OfferedLoad load = offered_load(spec, cluster);  // 1 cpu of 2, 4 mem of 16
  EXPECT_EQ(load.kind, "cpu");
  EXPECT_DOUBLE_EQ(load.share, 0.5);
}

TEST(Shape, ResamplesBlocksOfJobsWithTheTimeBeforeEach) {
  WorkloadSpec spec;
  std::map<std::string, double> gap_before;
  double now_s = 0;
  for (int at = 0; at < 60; ++at) {
    const double gap_s = at == 0 ? 0 : 1 + at;
    now_s += gap_s;
    gap_before[std::to_string(at)] = gap_s;
    spec.jobs.push_back({.job = std::to_string(at),
                         .submit = now_s,
                         .stages = {{.durations = {static_cast<double>(at + 1)}}}});
  }
  constexpr std::uint32_t block = 5;
  const WorkloadSpec drawn = shaped_to(spec, {.resample = block}, 7);
  ASSERT_EQ(drawn.jobs.size(), spec.jobs.size());
  EXPECT_NE(names(drawn), names(spec));
  EXPECT_EQ(names(drawn), names(shaped_to(spec, {.resample = block}, 7)));
  EXPECT_NE(names(drawn), names(shaped_to(spec, {.resample = block}, 8)));
  std::set<std::string> distinct;
  std::size_t repeated = 0;
  for (std::size_t at = 0; at < drawn.jobs.size(); ++at) {
    const JobSpec& job = drawn.jobs[at];
    EXPECT_TRUE(distinct.insert(job.job).second) << job.job;
    repeated += job.job.find('#') != std::string::npos ? 1U : 0U;
    const auto origin = static_cast<int>(job.stages[0].durations[0]) - 1;
    if (at == 0) continue;
    const double gap_s = job.submit - drawn.jobs[at - 1].submit;
    const double mean_gap_s = (now_s - spec.jobs[0].submit) / 59;
    EXPECT_NEAR(gap_s, origin == 0 ? mean_gap_s : gap_before[std::to_string(origin)], 1e-9);
    const auto before = static_cast<int>(drawn.jobs[at - 1].stages[0].durations[0]) - 1;
    const bool starts_block = at % block == 0;
    EXPECT_TRUE(starts_block || origin == (before + 1) % 60) << at;
  }
  EXPECT_GT(repeated, 0U);
}

TEST(Shape, SaysWhatItCannotDo) {
  WorkloadSpec followers = every_ten_seconds({{1}, {1}});
  followers.jobs[1].after = "a";
  EXPECT_EQ(refused(followers, {.resample = 2, .load = 0.5}),
            "c.toml:7:3: workload.resample: job 'b' comes when 'a' has ended, so when jobs come is "
            "not the workload's to say; it is for workloads without `after`\n"
            "c.toml:7:3: workload.load: job 'b' comes when 'a' has ended, so when jobs come is not "
            "the workload's to say; it is for workloads without `after`");
  const WorkloadSpec spec = every_ten_seconds({{1}, {1}});
  EXPECT_EQ(refused(spec, {.from_s = 11}),
            "c.toml:7:3: workload.from_s: no job is left: they are submitted from 0 s to 10 s");
  EXPECT_EQ(refused(shaped_to(spec, {.jobs = 1}), {.load = 0.5}),
            "c.toml:7:3: workload.load: all jobs come at one moment: there is no time between them "
            "to scale");
  EXPECT_EQ(refused(every_ten_seconds({{0}, {0}}), {.load = 0.5}),
            "c.toml:7:3: workload.load: the jobs ask for nothing that the cluster has, so they are "
            "no load");
  WorkloadSpec tabled = spec;
  tabled.jobs[0].progress = {1};
  EXPECT_EQ(
      refused(tabled, {.scale_tasks = 2}),
      "c.toml:7:3: workload.scale_tasks: job 'a' has `progress` for its number of slots, which "
      "does not say how it goes with other tasks; somnus profile writes curves, which can be "
      "scaled");
  WorkloadSpec wide = every_ten_seconds({std::vector<double>(20'000, 1)});
  EXPECT_EQ(
      refused(wide, {.scale_tasks = 1e4}),
      "c.toml:7:3: workload.scale_tasks: makes 200000000 tasks of 20000; at most 100000000 can "
      "be emulated");
}

TEST(Bars, AreAsHighAsTheirShareOfTheHighest) {
  std::vector<double> values(8, 0);
  values.push_back(47.9);
  values.push_back(48);
  const std::string blank(28, ' ');
  EXPECT_EQ(bars(values, Distribution::linear), "█" + blank + "▂");
  EXPECT_EQ(bars(std::vector<double>{3, 3}, Distribution::logarithmic), "█" + std::string(29, ' '));
  EXPECT_EQ(bars({}, Distribution::linear), std::string(30, ' '));
  const std::string decades = bars(std::vector<double>{1, 10, 100}, Distribution::logarithmic);
  EXPECT_EQ(decades, "█" + std::string(14, ' ') + "█" + std::string(13, ' ') + "█");
}

}  // namespace
}  // namespace somnus::test
