// Answers over batches of one run: those of as many seeds, and a warning where batches are not
// independent.
#include <gtest/gtest.h>

#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/random.hpp"
#include "cli/synthetic_experiment.hpp"
#include "experiment/serial_correlation.hpp"

namespace somnus::test {
namespace {

/// x_n = correlation x_(n - 1) + N(0, 1), from a stationary beginning on.
std::vector<double> autoregressive_of(std::size_t length, double correlation, std::uint64_t seed) {
  RandomStream draws(seed, "autoregressive");
  boost::random::normal_distribution<double> noise;
  std::vector<double> series;
  double x = noise(draws.engine()) / std::sqrt(1 - correlation * correlation);
  while (series.size() < length) {
    series.push_back(x);
    x = correlation * x + noise(draws.engine());
  }
  return series;
}

double share_found(std::size_t length, double correlation) {
  constexpr int trials = 4000;
  int found = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto seed = static_cast<std::uint64_t>(trial) + 1;
    const SerialCorrelation one = serial_correlation(autoregressive_of(length, correlation, seed));
    found += one.p <= error_level ? 1 : 0;
  }
  return static_cast<double>(found) / trials;
}

TEST(SerialCorrelation, IsVonNeumannsRatio) {
  // Squares of successive differences: 12; of distances to the mean, 2: 10.
  const SerialCorrelation one =
      serial_correlation(std::vector<double>{1, 1, 1, NAN, 2, 3, 3, 4, 1});
  EXPECT_NEAR(one.lag_1, 1 - 12.0 / 20, 1e-12);
  EXPECT_NEAR(one.p, std::erfc(0.4 / std::sqrt(6.0 / 63) / std::sqrt(2.0)) / 2, 1e-12);
}

TEST(SerialCorrelation, OfTooFewOrEqualValuesIsNone) {
  EXPECT_EQ(serial_correlation(std::vector<double>{1, 2, 3, 4, 5, 6, 7}).p, 1);
  EXPECT_EQ(serial_correlation(std::vector<double>(20, 0.1)).p, 1);
}

TEST(SerialCorrelation, OfIndependentValuesIsFoundIn5OfAHundredSeries) {
  for (const std::size_t length : {8U, 10U, 20U, 30U}) {
    const double found = share_found(length, 0);
    printf("%zu independent values: found in %.1f %%\n", length, 100 * found);
    EXPECT_GT(found, 0.03) << length;
    EXPECT_LT(found, 0.065) << length;
  }
}

TEST(SerialCorrelation, IsFoundTheMoreTheStrongerItIs) {
  const double weak = share_found(20, 0.2);
  const double strong = share_found(20, 0.5);
  printf("of 20 values: 0.2 found in %.1f %%, 0.5 in %.1f %%\n", 100 * weak, 100 * strong);
  EXPECT_LT(weak, strong);
  EXPECT_GT(strong, 0.5);
  EXPECT_GT(share_found(30, 0.5), strong);
}

double cfq_gains(std::size_t name, double load, double common, double own) {
  const double mean = name == 0 ? 100 : 100 - 40 * (load - 0.5);
  return mean + 20 * common + own;
}

/// Without the words and the name of what there would have to be more of.
nlohmann::json decisions_of(const SyntheticExperiment& experiment) {
  const Answers answers = experiment.answers();
  auto all = nlohmann::json::array();
  for (const Comparison& one : answers.figures.front().comparisons.all()) {
    for (const Hypothesis& each : one.hypotheses) {
      all.push_back({one.point, one.reference, each.decided, each.p, each.runs_needed});
    }
  }
  for (const DifferenceClaim& claim : answers.figures.front().claims) {
    for (const Crossing& each : claim.crossings) all.push_back({each.low, each.high, each.at});
  }
  return all;
}

const std::vector<double> some_loads = {0.6, 0.7, 0.8, 0.9};

TEST(BatchAnswers, AreThoseOfAsManySeedsWithTheSameValues) {
  const SyntheticExperiment seeds({"fair", "cfq"}, some_loads, cfq_gains,
                                  {.seeds = 20, .margin = 0.1});
  for (const bool random : {true, false}) {
    const SyntheticExperiment batches({"fair", "cfq"}, some_loads, cfq_gains,
                                      {.seeds = 1, .margin = 0.1, .random = random, .batches = 20});
    EXPECT_EQ(decisions_of(batches), decisions_of(seeds)) << "drawn at random: " << random;
  }
}

TEST(BatchAnswers, StayTheSameWhereAllTimesAreScaled) {
  const auto scaled = [](double factor) {
    const SyntheticExperiment experiment(
        {"fair", "cfq"}, some_loads,
        [factor](std::size_t name, double load, double common, double own) {
          return factor * cfq_gains(name, load, common, own);
        },
        {.seeds = 1, .margin = 0.1, .random = false, .batches = 20});
    return answer_in_words(experiment.answers(), experiment.answers().figures.front());
  };
  EXPECT_EQ(scaled(1), scaled(1024));  // a power of two, so that nothing is rounded
}

TEST(BatchAnswers, OfEqualBatchesHaveNoWidth) {
  const SyntheticExperiment experiment(
      {"fair", "cfq"}, {0.9},
      [](std::size_t name, double, double, double) { return name == 0 ? 100.3 : 90.1; },
      {.seeds = 1, .random = false, .batches = 20});
  const SyntheticOutcome outcome = experiment.run();
  const Comparison& both = outcome.answers.figures.front().comparisons.all().front();
  EXPECT_EQ(both.pairs, 20U);
  EXPECT_NEAR(both.difference.half_width, 0, 1e-12);
  EXPECT_EQ(both.decided(), -1);
  EXPECT_TRUE(outcome.warnings.empty()) << "equal batches are not correlated";
}

std::string words_on(const SyntheticExperiment& experiment) {
  const SyntheticOutcome outcome = experiment.run();
  std::string all;
  for (const std::string& each : outcome.warnings) all += each + "\n";
  const Answers& answers = outcome.answers;
  for (const std::string& each : answer_in_words(answers, answers.figures.front())) {
    all += each + "\n";
  }
  return all;
}

TEST(BatchAnswers, SpeakOfBatches) {
  const std::string words =
      words_on({{"fair", "cfq"},
                {0.9},
                [](std::size_t, double, double common, double own) { return 100 + common + own; },
                {.seeds = 1, .batches = 10}});
  EXPECT_NE(words.find("batches as long would decide"), std::string::npos) << words;
  EXPECT_EQ(words.find("seed"), std::string::npos) << words;
  const std::string same =
      words_on({{"fair", "cfq"},
                {0.9},
                [](std::size_t, double, double common, double) { return common; },
                {.seeds = 1, .batches = 10}});
  EXPECT_NE(same.find("the same in every batch"), std::string::npos) << same;
}

/// The first value is the whole run's, which nobody asks for.
const std::vector<double> some_drift = autoregressive_of(31, 0.9, 3);

TEST(BatchAnswers, WarnOfMeansThatAreNotIndependentWhereDifferencesMayBe) {
  int differences = 0;
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    std::size_t call = 0;  // a draw a batch, one name after the other
    const auto words = words_on({{"fair", "cfq"},
                                 {0.9},
                                 [&](std::size_t, double, double, double own) {
                                   return 100 + some_drift[call++ % some_drift.size()] + 0.1 * own;
                                 },
                                 {.seeds = 1, .first_seed = 1 + 31 * trial, .batches = 30}});
    EXPECT_NE(
        words.find("BATCHES ARE NOT INDEPENDENT in 2 of 2 points, most in response_mean_s at "),
        std::string::npos)
        << words;
    if (words.find("DIFFERENCES OF BATCHES") != std::string::npos) ++differences;
  }
  EXPECT_LE(differences, 11) << "of 100 tests at 5 %";
}

TEST(BatchAnswers, WarnOfDifferencesThatAreNotIndependent) {
  std::size_t call = 0;
  const auto words = words_on({{"fair", "cfq"},
                               {0.9},
                               [&](std::size_t name, double, double, double own) {
                                 return name == 0 ? 100 + own : 100 + own + 5 * some_drift[call++];
                               },
                               {.seeds = 1, .batches = 30}});
  EXPECT_NE(words.find("DIFFERENCES OF BATCHES ARE NOT INDEPENDENT in 1 of 1 comparisons"),
            std::string::npos)
      << words;
}

}  // namespace
}  // namespace somnus::test
