// What intervals and verdicts of experiments promise, on curves with a known crossing. Draws are
// normal unless a shape says otherwise; `bias` is what linear interpolation does to a curve.
#include <gtest/gtest.h>

#include <boost/random/normal_distribution.hpp>
#include <boost/random/student_t_distribution.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "base/random.hpp"
#include "cli/synthetic_experiment.hpp"
#include "experiment/zeros.hpp"

namespace somnus::test {
namespace {

constexpr int experiments = 1000;
constexpr std::size_t seeds = 20;
const std::vector<double> loads = {0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95};

enum class Tails { normal, heavy };

struct Shape {
  const char* name;
  std::function<double(double load)> mean;
  std::function<double(double load)> noise;  // standard deviation of a seed's value
  double crossing;                           // where the mean is 0
  Tails tails = Tails::normal;
};

const std::vector<Shape>& shapes() {
  static const auto even = [](double) { return 1.0; };
  static const auto grows = [](double load) { return 0.3 / (1 - load); };
  static const std::vector<Shape> all = {
      {"linear", [](double x) { return 5 * (x - 0.72); }, even, 0.72},
      {"linear, on a step", [](double x) { return 5 * (x - 0.7); }, even, 0.7},
      {"linear, noise grows", [](double x) { return 5 * (x - 0.72); }, grows, 0.72},
      {"curved", [](double x) { return 1 / (1 - x) - 1 / (1 - 0.72); }, even, 0.72},
      {"curved, noise grows", [](double x) { return 1 / (1 - x) - 1 / (1 - 0.72); }, grows, 0.72},
      {"steep", [](double x) { return 60 * (x - 0.72); }, even, 0.72},
      {"linear, heavy tails", [](double x) { return 5 * (x - 0.72); }, even, 0.72, Tails::heavy}};
  return all;
}

/// In so many of a thousand experiments the set of places holds the crossing.
int held(const Shape& shape) {
  int count = 0;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    RandomStream draws(static_cast<std::uint64_t>(experiment) + 1, shape.name);
    boost::random::normal_distribution<double> normal;
    boost::random::student_t_distribution<double> heavy(3);
    const auto draw = [&] {
      return shape.tails == Tails::heavy ? heavy(draws.engine()) / std::sqrt(3.0)
                                         : normal(draws.engine());
    };
    std::vector<std::vector<double>> values(loads.size());
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      const double common = draw();
      for (std::size_t step = 0; step < loads.size(); ++step) {
        const double own = draw();
        values[step].push_back(shape.mean(loads[step]) +
                               shape.noise(loads[step]) * (0.8 * common + 0.6 * own));
      }
    }
    for (const ZeroRegion& one : zeros_of(loads, values, MeanTest::student, error_level)) {
      if (one.low <= shape.crossing && shape.crossing <= one.high) ++count;
    }
  }
  return count;
}

TEST(CrossingIntervals, HoldTheCrossingIn93To97OfAHundredExperiments) {
  for (const Shape& shape : shapes()) {
    const int found = held(shape);
    RecordProperty(shape.name, found);
    printf("crossing held in %.1f %% of %d experiments: %s\n", 100.0 * found / experiments,
           experiments, shape.name);
    EXPECT_GE(found, 930) << shape.name;
    if (shape.tails == Tails::normal) {
      EXPECT_LE(found, 970) << shape.name;
    }
  }
}

/// Both draw from one law at one load, or the second is better by `effect` standard deviations of a
/// difference.
SyntheticExperiment two_alike(std::uint64_t first_seed, double effect, double margin) {
  return {
      {"fair", "cfq"},
      {0.9},
      [effect](std::size_t name, double, double common, double own) {
        const double difference = name == 0 ? 0 : effect * std::sqrt(2.0);
        return 100 + 20 * common + own - difference;
      },
      {.seeds = 10, .margin = margin, .most_seeds = 200, .first_seed = first_seed, .decide = true}};
}

struct Claims {
  int differences = 0;
  int ties = 0;
  double runs = 0;  // of a point, on average
};

Claims claims_of(double effect, double margin, int among) {
  Claims claims;
  for (int experiment = 0; experiment < among; ++experiment) {
    const auto first_seed = 1 + 1000 * static_cast<std::uint64_t>(experiment);
    const SyntheticOutcome outcome = two_alike(first_seed, effect, margin).run();
    const Comparison& both = outcome.answers.figures[0].comparisons.all().front();
    claims.differences += both.decided() != 0 ? 1 : 0;
    claims.ties += both.is_tie() ? 1 : 0;
    claims.runs += static_cast<double>(outcome.campaign.seeds[0].size()) / among;
  }
  return claims;
}

TEST(Decide, FindsADifferenceOfEqualsInAtMost5OfAHundredExperimentsThoughItLooksEachRound) {
  const Claims claims = claims_of(0, 0, experiments);
  printf("a difference of equals claimed in %.1f %% of %d experiments\n",
         100.0 * claims.differences / experiments, experiments);
  EXPECT_LE(claims.differences, 50);
  EXPECT_GT(claims.runs, 150) << "it goes on to the last seed";
}

TEST(Decide, EndsSoonWhereADifferenceIsLarge) {
  const Claims claims = claims_of(0.8, 0, 100);
  printf("a difference of 0.8 deviations: claimed in %d of 100, %.0f runs a point\n",
         claims.differences, claims.runs);
  EXPECT_GE(claims.differences, 99);
  EXPECT_LT(claims.runs, 40);
}

TEST(Decide, EndsWithATieWithinTheMargin) {
  const Claims claims = claims_of(0, 0.02, 100);
  printf("a tie of equals within 2 %%: claimed in %d of 100, %.0f runs a point\n", claims.ties,
         claims.runs);
  EXPECT_GE(claims.ties, 90);
  EXPECT_LT(claims.runs, 60);
}

}  // namespace
}  // namespace somnus::test
