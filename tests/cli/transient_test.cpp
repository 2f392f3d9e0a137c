// Where a run's transient ends, and whether jobs pile up.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "metrics/transient.hpp"

namespace somnus::test {
namespace {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST(Mser5, CutsAStepAndLeavesWhatIsLevel) {
  std::vector<double> series(200, 1.0);
  EXPECT_EQ(mser_5(series), 0U);
  std::fill_n(series.begin(), 40, 9.0);
  EXPECT_EQ(mser_5(series), 40U);
  std::fill_n(series.begin(), 43, 9.0);
  EXPECT_EQ(mser_5(series), 45U) << "batches are of five";
  EXPECT_EQ(mser_5(std::vector<double>{}), 0U);
  EXPECT_EQ(mser_5(std::vector<double>{9, 9, 9, 9}), 0U) << "too short for a batch";
}

TEST(Mser5, IsWhatItsDefinitionSays) {
  RandomStream draws(5, "mser");
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> series(static_cast<std::size_t>(draws.integer(5, 120)));
    for (double& value : series) value = draws.uniform();
    const std::size_t batches = series.size() / 5;
    std::vector<double> z;
    for (std::size_t at = 0; at < batches; ++at) {
      z.push_back(mean_of(std::span(series).subspan(5 * at, 5)));
    }
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t cut = 0; cut < batches && cut <= batches / 2; ++cut) {
      const std::span<const double> left = std::span(z).subspan(cut);
      double squares = 0;
      for (const double each : left) squares += std::pow(each - mean_of(left), 2);
      const double error = squares / std::pow(static_cast<double>(left.size()), 2);
      if (error < least - 1e-15) {
        least = error;
        best = cut;
      }
    }
    EXPECT_EQ(mser_5(series), 5 * best);
  }
}

/// x_0 = `start`, x_n = 0.8 x_(n - 1) + N(0, 1).
std::vector<double> autoregressive(double start, std::uint64_t seed) {
  RandomStream draws(seed, "autoregressive");
  boost::random::normal_distribution<double> noise;
  std::vector<double> series;
  for (double x = start; series.size() < 1000;) {
    x = 0.8 * x + noise(draws.engine());
    series.push_back(x);
  }
  return series;
}

TEST(Mser5, RemovesTheBiasOfAnAutoregressiveSeriesThatBeginsFarOff) {
  constexpr int trials = 200;
  double bias = 0;
  double bias_cut = 0;
  std::vector<std::size_t> cuts;
  for (int trial = 0; trial < trials; ++trial) {
    const std::vector<double> series = autoregressive(50, static_cast<std::uint64_t>(trial) + 1);
    cuts.push_back(mser_5(series));
    bias += mean_of(series) / trials;
    bias_cut += mean_of(std::span(series).subspan(cuts.back())) / trials;
  }
  std::ranges::sort(cuts);
  EXPECT_GT(bias, 0.15);
  EXPECT_LT(std::abs(bias_cut), 0.05);
  EXPECT_GE(cuts[trials / 20], 10U) << "50 x 0.8^10 is still 5 deviations off";
  EXPECT_LE(cuts[trials / 2], 40U);
}

JobRow job(double submit, double finish) {
  JobRow row;
  row.submit = submit;
  row.finish = finish;
  row.state = static_cast<std::uint8_t>(std::isnan(finish) ? JobState::active : JobState::finished);
  return row;
}

TEST(WithoutTransient, CutsByTheOrderOfSubmission) {
  const std::vector<JobRow> jobs = {job(3, 4), job(1, 2), job(NAN, NAN), job(2, NAN)};
  const auto counted = without_transient(jobs, {.rule = TruncationRule::none, .jobs = 2});
  ASSERT_EQ(counted.size(), 1U);
  EXPECT_EQ(counted.front().submit, 3);
  EXPECT_TRUE(without_transient(jobs, {.rule = TruncationRule::none, .jobs = 9}).empty());
}

TEST(WithoutTransient, OfMser5CountsFinishedJobsOnly) {
  std::vector<JobRow> jobs;
  for (int at = 0; at < 100; ++at) {
    jobs.push_back(job(at, at + (at < 21 ? 50 : 1)));
    if (at == 3) jobs.back() = job(at, NAN);
  }
  const auto counted = without_transient(jobs, {.rule = TruncationRule::mser_5, .jobs = 0});
  EXPECT_EQ(counted.front().submit, 21) << "twenty that finished, and the one that did not";
}

TEST(JobsInSystem, GrowWhereJobsComeFasterThanTheyGo) {
  std::vector<JobRow> level;
  std::vector<JobRow> growing;
  for (int at = 0; at <= 300; ++at) {
    level.push_back(job(at, at + 2));
    growing.push_back(job(at, 2.0 * at + 2));
  }
  EXPECT_NEAR(jobs_in_system(level).mean, 2, 0.02);
  EXPECT_NEAR(jobs_in_system(level).growth, 0, 1e-9);
  EXPECT_NEAR(jobs_in_system(growing).growth, 50, 1) << "half of a hundred more";
  EXPECT_TRUE(std::isnan(jobs_in_system({job(1, 2), job(1, 3)}).mean)) << "all come at once";
}

}  // namespace
}  // namespace somnus::test
