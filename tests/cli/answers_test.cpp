// What an experiment answers: tests of a mean, Holm's procedure, crossings and who is best.
#include <gtest/gtest.h>

#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <vector>

#include "base/random.hpp"
#include "cli/synthetic_experiment.hpp"
#include "experiment/answers.hpp"
#include "experiment/holm.hpp"
#include "experiment/mean_test.hpp"
#include "experiment/zeros.hpp"

namespace somnus::test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(MeanTest, StudentsPValueAndCriticalTAreThoseOfTheTable) {
  const SampleMean sample = sample_mean(std::vector<double>{1, 2, NAN, 3, 4});
  EXPECT_EQ(sample.runs, 4U);
  EXPECT_NEAR(t_statistic(sample), 2.5 / std::sqrt(5.0 / 3.0) * 2, 1e-12);
  EXPECT_NEAR(critical_t(MeanTest::student, 4, 0.05), 3.182446305284263, 1e-9);
  EXPECT_NEAR(p_value(MeanTest::student, {.runs = 4, .mean = 3.182446305284263, .deviation = 2}),
              0.05, 1e-9);
  EXPECT_EQ(p_value(MeanTest::student, {.runs = 1, .mean = 3}), 1)
      << "a single run decides nothing";
  EXPECT_EQ(p_value(MeanTest::student, {.runs = 3, .mean = 3, .deviation = 0}), 0);
  EXPECT_EQ(p_value(MeanTest::student, {.runs = 3, .mean = 0, .deviation = 0}), 1);
}

/// Both marginal densities of a scale-invariant sample, by quadrature over sigma and delta.
double e_value_by_quadrature(const std::vector<double>& runs) {
  const auto density = [&](double delta, double sigma) {
    double log_density = 0;
    for (const double x : runs) {
      const double z = x / sigma - delta;
      log_density -= z * z / 2 + std::log(sigma);
    }
    return std::exp(log_density);
  };
  double bet = 0;
  double none = 0;
  constexpr double step = 0.02;
  for (double log_sigma = -7; log_sigma < 7; log_sigma += step) {  // d sigma / sigma
    none += density(0, std::exp(log_sigma));
    for (double delta = -8; delta < 8; delta += step) {
      bet += density(delta, std::exp(log_sigma)) * step * std::exp(-delta * delta / 2) /
             std::sqrt(2 * std::numbers::pi);
    }
  }
  return bet / none;
}

TEST(SequentialTest, IsTheRatioOfDensitiesThatItIsDerivedFrom) {
  for (const auto& runs : {std::vector<double>{0.4, 1.1}, std::vector<double>{1, 2, 1.5, 0.2, 1.9},
                           std::vector<double>{-0.5, 0.7, 0.1, -0.2}}) {
    const double e = e_value(runs.size(), t_statistic(sample_mean(runs)));
    EXPECT_NEAR(e, e_value_by_quadrature(runs), 1e-3 * e);
  }
}

TEST(SequentialTest, ItsCriticalTIsWhereItsPValueIsTheLevel) {
  for (const std::size_t runs : {5U, 10U, 200U}) {
    for (const double level : {0.05, 0.001}) {
      const double t = critical_t(MeanTest::sequential, runs, level);
      if (std::isinf(t)) {
        EXPECT_LT(e_value(runs, 1e9), 1 / level) << "no t would be enough";
        continue;
      }
      EXPECT_NEAR(1 / e_value(runs, t), level, 1e-9);
      EXPECT_GT(t, critical_t(MeanTest::student, runs, level)) << "looks cost something";
    }
  }
  EXPECT_TRUE(std::isinf(critical_t(MeanTest::sequential, 2, 0.05)));
  EXPECT_NEAR(e_value(3, infinite), 4, 1e-9) << "all runs alike";
}

TEST(RunsToDecide, FallWithTheSizeOfTheEffect) {
  const auto runs = [](double mean) {
    return runs_to_decide(MeanTest::student, {.runs = 10, .mean = mean, .deviation = 1}, 0.05);
  };
  EXPECT_EQ(runs(0.5), 34U) << "as tables of the t test's power have it: 0.8 at 0.05, two-sided";
  EXPECT_GT(runs(0.1), runs(0.2));
  EXPECT_GT(runs(0.001), most_predicted_runs);
  EXPECT_EQ(runs_to_decide(MeanTest::student, {.runs = 1, .mean = 1}, 0.05), 0U);
  EXPECT_GT(runs_to_decide(MeanTest::sequential, {.runs = 10, .mean = 0.5, .deviation = 1}, 0.05),
            runs(0.5));
}

TEST(Holm, IsItsOwnExampleAndKnowsWhatExcludesEachOther) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005};
  EXPECT_EQ(adjusted_by_holm(p, 4), (std::vector<double>{0.03, 0.06, 0.06, 0.02}));
  EXPECT_EQ(adjusted_by_holm(p, 2), (std::vector<double>{0.02, 0.06, 0.06, 0.01}));
  EXPECT_TRUE(adjusted_by_holm({}, 0).empty());
}

TEST(Zeros, OfALineWithoutNoiseAreWhereItCrosses) {
  const std::vector<double> steps = {0, 1, 3};
  const std::vector<std::vector<double>> values = {{-1, -1, -1}, {1, 1, 1}, {-3, -3, -3}};
  const auto regions = zeros_of(steps, values, MeanTest::student, 0.05);
  ASSERT_EQ(regions.size(), 2U) << "it crosses twice";
  EXPECT_NEAR(regions[0].low, 0.5, 1e-9);
  EXPECT_NEAR(regions[0].high, 0.5, 1e-9);
  EXPECT_NEAR(regions[1].at.front(), 1.5, 1e-9);
}

TEST(Zeros, AreThePlacesAtWhichTheTestDoesNotReject) {
  RandomStream draws(3, "zeros");
  boost::random::normal_distribution<double> noise(0, 1);
  const std::vector<double> steps = {0.5, 0.6, 0.8, 1.1};
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::vector<double>> values(steps.size());
    const double slope = 8 * noise(draws.engine());
    for (std::size_t step = 0; step < steps.size(); ++step) {
      for (int run = 0; run < 6; ++run) {
        values[step].push_back(slope * (steps[step] - 0.7) + noise(draws.engine()));
      }
    }
    const auto regions = zeros_of(steps, values, MeanTest::student, 0.05);
    for (double x = 0.5005; x < 1.1; x += 0.01) {
      std::size_t step = 0;
      while (steps[step + 1] < x) ++step;
      const double u = (x - steps[step]) / (steps[step + 1] - steps[step]);
      std::vector<double> here;
      for (std::size_t run = 0; run < 6; ++run) {
        here.push_back((1 - u) * values[step][run] + u * values[step + 1][run]);
      }
      const bool rejected = p_value(MeanTest::student, sample_mean(here)) < 0.05;
      const bool inside = std::ranges::any_of(
          regions, [&](const ZeroRegion& one) { return one.low <= x && x <= one.high; });
      EXPECT_NE(rejected, inside) << "at " << x << " of trial " << trial;
    }
  }
}

TEST(Zeros, OfFewRunsAreEverywhere) {
  const std::vector<std::vector<double>> values = {{-1}, {1}};
  const auto regions = zeros_of(std::vector<double>{2, 3}, values, MeanTest::student, 0.05);
  ASSERT_EQ(regions.size(), 1U);
  EXPECT_EQ(regions.front().low, 2);
  EXPECT_EQ(regions.front().high, 3);
}

/// By what is compared and load; each seed adds what all have in common, and noise.
double line(std::size_t name, double load) {
  return name == 0 ? 100 : 100 - 40 * (load - 0.5);  // 10 % less at 0.75
}

std::string words_of(const SyntheticExperiment& experiment) {
  const std::string text = answers_to_text(experiment.answers(), Lines::all);
  std::string words;  // without the breaks of lines
  for (const char one : text) {
    const bool is_blank = one == ' ' || one == '\n';
    if (!is_blank || !words.ends_with(' ')) words += is_blank ? ' ' : one;
  }
  return words;
}

TEST(Answers, SayWhereTheMarginIsPassed) {
  const SyntheticExperiment experiment(
      {"fair", "cfq"}, {0.6, 0.7, 0.8, 0.9},
      [](std::size_t name, double load, double common, double own) {
        return line(name, load) + 20 * common + own;
      },
      {.seeds = 20, .margin = 0.1});
  const Answers answers = experiment.answers();
  ASSERT_EQ(answers.figures.size(), 1U);
  const std::string words = words_of(experiment);
  EXPECT_NE(words.find("cfq is better than fair from 0.6 to 0.9."), std::string::npos) << words;
  EXPECT_NE(words.find("cfq is better than fair by more than 10 % from 0.8 on; not up to 0.7."),
            std::string::npos)
      << words;
  const DifferenceClaim& margin = answers.figures[0].claims[1];
  ASSERT_EQ(margin.crossings.size(), 1U);
  EXPECT_TRUE(margin.crossings[0].is_decided);
  EXPECT_LT(margin.crossings[0].low, 0.75);
  EXPECT_GT(margin.crossings[0].high, 0.75);
}

TEST(Answers, OfOneSeedDecideNothing) {
  const SyntheticExperiment experiment(
      {"fair", "cfq"}, {0.6, 0.9},
      [](std::size_t name, double load, double, double) { return line(name, load); },
      {.seeds = 1, .margin = 0.1});
  const std::string words = words_of(experiment);
  EXPECT_NE(words.find("a single seed decides nothing"), std::string::npos) << words;
  EXPECT_EQ(words.find("better than fair from"), std::string::npos) << words;
}

TEST(Answers, OfPointsThatDrawNothingAreExact) {
  const SyntheticExperiment experiment(
      {"fair", "cfq"}, {0.5, 0.9},
      [](std::size_t name, double load, double, double) { return line(name, load); },
      {.seeds = 1, .random = false});
  const std::string words = words_of(experiment);
  EXPECT_NE(words.find("cfq is better than fair at 0.9; the same in every run at 0.5."),
            std::string::npos)
      << words;
  EXPECT_EQ(words.find('%'), std::string::npos) << "there is no error to speak of: " << words;
}

TEST(Answers, NameTiesAndWinnersByRegion) {
  const SyntheticExperiment experiment(
      {"fair", "cfq", "srpt"}, {0.6, 0.7, 0.8, 0.9},
      [](std::size_t name, double load, double common, double own) {
        const double mean = name == 0 ? 100 : load < 0.75 ? 80 : name == 1 ? 80 : 60;
        return mean + 20 * common + 0.5 * own;
      },
      {.seeds = 20, .margin = 0.1});
  const std::string words = words_of(experiment);
  EXPECT_NE(words.find("Best: a tie of cfq, srpt (within 10 %) up to 0.7; srpt from 0.8 on."),
            std::string::npos)
      << words;
}

TEST(Answers, ClaimNoTieWithoutAMargin) {
  const SyntheticExperiment experiment(
      {"fair", "cfq"}, {0.6, 0.9},
      [](std::size_t, double, double common, double own) { return 100 + common + own; },
      {.seeds = 5});
  const std::string words = words_of(experiment);
  EXPECT_NE(words.find("Whether cfq and fair differ is not decided from 0.6 to 0.9"),
            std::string::npos)
      << words;
  EXPECT_NE(words.find("seeds would decide"), std::string::npos) << words;
}

}  // namespace
}  // namespace somnus::test
