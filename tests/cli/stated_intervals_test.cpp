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

}  // namespace
}  // namespace somnus::test
