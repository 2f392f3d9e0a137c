// What experiments rest on: intervals that hold what they say, and what of a run is random.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/random/lognormal_distribution.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "cli/simulated.hpp"
#include "experiment/plan.hpp"
#include "experiment/randomness.hpp"
#include "experiment/statistics.hpp"
#include "session/simulation.hpp"

namespace somnus::test {
namespace {

TEST(MeanInterval, IsStudentsT) {
  const MeanInterval interval = mean_interval(std::vector<double>{1, 2, NAN, 3, 4});
  EXPECT_EQ(interval.runs, 4U);
  EXPECT_EQ(interval.mean, 2.5);
  EXPECT_NEAR(interval.half_width, 3.182446305284263 * std::sqrt(5.0 / 3.0) / 2, 1e-12);
  EXPECT_TRUE(interval.differs_from_zero());
  EXPECT_TRUE(std::isnan(mean_interval(std::vector<double>{7}).half_width));
  EXPECT_FALSE(mean_interval(std::vector<double>{7}).differs_from_zero()) << "nobody knows";
  EXPECT_EQ(mean_interval({}).runs, 0U);
}

TEST(PairedDifference, ForgetsWhatBothHaveInCommon) {
  const std::vector<double> base = {10, 200, 3000};
  const MeanInterval difference = paired_difference(std::vector<double>{11, 202, 3003}, base);
  EXPECT_EQ(difference.mean, 2);
  EXPECT_NEAR(difference.half_width, 4.302652729696144 / std::sqrt(3.0), 1e-9);
  EXPECT_EQ(paired_difference(std::vector<double>{11, NAN, 3003}, base).runs, 2U);
}

TEST(RunsNeeded, GrowWithTheSquareOfThePrecision) {
  const std::vector<double> values = {9, 10, 11, 10};
  const MeanInterval now = mean_interval(values);
  const double share = now.half_width / now.mean;
  EXPECT_EQ(runs_needed(values, share), 4);
  EXPECT_EQ(runs_needed(values, share / 2), 16);
  EXPECT_EQ(runs_needed(std::vector<double>{5}, 0.1), 0);
}

// docs/experiments.md has a study of whole experiments; this is the formula alone, on draws that
// are as skew as mean response times are.
TEST(MeanInterval, HoldsTheMeanIn95OfAHundredExperiments) {
  constexpr int experiments = 4000;
  constexpr double sigma = 0.3;
  const double mean = std::exp(sigma * sigma / 2);
  RandomStream draws(1, "coverage");
  boost::random::lognormal_distribution<double> any(0, sigma);
  int held = 0;
  for (int at = 0; at < experiments; ++at) {
    std::vector<double> runs(10);
    for (double& run : runs) run = any(draws.engine());
    const MeanInterval interval = mean_interval(runs);
    held += std::abs(interval.mean - mean) <= interval.half_width ? 1 : 0;
  }
  const double coverage = static_cast<double>(held) / experiments;
  EXPECT_GT(coverage, 0.93);
  EXPECT_LT(coverage, 0.97);
}

/// Any preset with parts of its own and things around it that may or may not be random.
Settings any_settings() {
  const auto pick = [](std::initializer_list<const char*> texts) {
    return std::string(*rc::gen::elementOf(std::vector<const char*>(texts)));
  };
  const std::string policy =
      rc::gen::map(rc::gen::inRange<std::size_t>(0, presets().size()), [](std::size_t at) {
        return presets()[at].name;
      }).operator*();
  const std::string toml =
      config(policy, pick({"", "placement = 'random'\n", "placement = 'least-loaded'\n",
                           "carbyne.altruism = 0.5\n"})) +
      pick({"", "[network]\ndelay_ms = 2\n", "[network]\ndelay_ms = 2\njitter = 0.5\n",
            "[network]\njitter = 0.5\n"}) +
      pick({"", "[heartbeat]\nphase = 'aligned'\n"}) +
      pick({"", "[estimate]\nmodel = 'uniform'\n", "[estimate]\nmodel = 'uniform'\nerror = 0\n"}) +
      pick({"", "[job_manager]\nlaunch_s = 1\npoll_s = 0\n",
            "[job_manager]\nlaunch = 'constant'\n"}) +
      pick({"", "[faults]\nstraggler_probability = 0.2\n",
            "[faults]\nstraggler_probability = 0.2\nseed = 3\n"});
  std::vector<std::string> unread;
  const auto settings = parse_settings(toml, "a.toml", {}, &unread);
  RC_PRE(settings.has_value());
  return *settings;
}

std::string estimates_by(Settings settings, std::uint64_t seed, const Workload& jobs) {
  settings.run.seed = seed;
  const Simulation done = simulate_one(settings, jobs, {});
  std::string all;
  for (const TaskRow& row : done.log.tasks) {
    all += fmt::format("{} {} {} {}\n", row.job, row.node, row.start, row.finish);
  }
  return all;
}

RC_GTEST_PROP(FaultModel, EverySeedGivesTheSameRunWhereThereAreNone, ()) {
  const Settings settings = any_settings();
  const std::vector<std::string> drawn = drawn_at_random(settings);
  RC_CLASSIFY(drawn.empty());
  const Workload jobs = workload(1);
  const bool same = estimates_by(settings, 1, jobs) == estimates_by(settings, 2, jobs) &&
                    estimates_by(settings, 1, jobs) == estimates_by(settings, 3, jobs);
  RC_ASSERT(same || !drawn.empty());
}

/// Axes of so many values each.
ExperimentFile axes_of(const std::vector<std::size_t>& sizes) {
  ExperimentFile file{.origin = "e.toml"};
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    Axis one{.keys = {fmt::format("key{}", axis)}};
    one.values.assign(sizes[axis], {"1"});
    one.locations.assign(sizes[axis], {SourceLocation{}});
    file.axes.push_back(std::move(one));
  }
  return file;
}

TEST(ExperimentPlan, RefusesMoreCombinationsThanAnyoneCanRun) {
  for (const auto& sizes : {std::vector<std::size_t>{100'001}, std::vector<std::size_t>(40, 10)}) {
    const auto plan = plan_of(axes_of(sizes), {});
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error().list().size(), 1U);
    EXPECT_NE(plan.error().text().find("at most 100000 combinations"), std::string::npos);
  }
}

}  // namespace
}  // namespace somnus::test
