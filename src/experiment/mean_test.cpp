#include "experiment/mean_test.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <limits>

namespace somnus {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double prior_runs = 1;                       // c
constexpr double power_quantile = 0.8416212335729143;  // of the normal distribution at 0.8

/// Logarithms: E overflows where many runs agree.
double log_e_value(std::size_t runs, double t) {
  const auto n = static_cast<double>(runs);
  const double kept = prior_runs / (prior_runs + n);
  const double u = t * t / (n - 1);
  const double ratio = std::isinf(u) ? -std::log(kept) : std::log1p(u) - std::log1p(kept * u);
  return 0.5 * std::log(kept) + 0.5 * n * ratio;
}

double critical_of_sequential(std::size_t runs, double level) {
  const auto n = static_cast<double>(runs);
  const double kept = prior_runs / (prior_runs + n);
  const double reached = std::exp(2 / n * (-std::log(level) - 0.5 * std::log(kept)));
  if (kept * reached >= 1) return infinite;
  return std::sqrt((n - 1) * (reached - 1) / (1 - kept * reached));
}

}  // namespace

SampleMean sample_mean(std::span<const double> values) {
  SampleMean sample;
  double sum = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    ++sample.runs;
    sum += value;
  }
  if (sample.runs == 0) return sample;
  const auto runs = static_cast<double>(sample.runs);
  sample.mean = sum / runs;
  if (sample.runs == 1) return sample;
  double squares = 0;
  for (const double value : values) {
    if (!std::isnan(value)) squares += (value - sample.mean) * (value - sample.mean);
  }
  sample.deviation = std::sqrt(squares / (runs - 1));
  return sample;
}

double t_statistic(const SampleMean& sample) {
  if (sample.runs < 2) return NAN;
  if (sample.mean == 0) return 0;
  return sample.mean / sample.deviation * std::sqrt(static_cast<double>(sample.runs));
}

double e_value(std::size_t runs, double t) { return std::exp(log_e_value(runs, t)); }

double p_value(MeanTest test, const SampleMean& sample) {
  const double t = std::abs(t_statistic(sample));
  if (std::isnan(t)) return 1;
  if (test == MeanTest::sequential) return std::min(1.0, std::exp(-log_e_value(sample.runs, t)));
  if (std::isinf(t)) return 0;
  const boost::math::students_t distribution(static_cast<double>(sample.runs - 1));
  return 2 * boost::math::cdf(boost::math::complement(distribution, t));
}

double critical_t(MeanTest test, std::size_t runs, double level) {
  if (runs < 2) return infinite;
  if (test == MeanTest::sequential) return critical_of_sequential(runs, level);
  const boost::math::students_t distribution(static_cast<double>(runs - 1));
  return boost::math::quantile(boost::math::complement(distribution, level / 2));
}

std::size_t runs_to_decide(MeanTest test, const SampleMean& sample, double level) {
  if (sample.runs < 2) return 0;
  const double effect = std::abs(sample.mean) / sample.deviation;  // NaN where all runs are 0
  const auto decide = [&](std::size_t runs) {
    return effect * std::sqrt(static_cast<double>(runs)) >=
           critical_t(test, runs, level) + power_quantile;
  };
  if (!decide(most_predicted_runs)) return most_predicted_runs + 1;
  std::size_t too_few = 1;
  std::size_t enough = most_predicted_runs;
  while (enough - too_few > 1) {
    const std::size_t runs = (too_few + enough) / 2;
    (decide(runs) ? enough : too_few) = runs;
  }
  return enough;
}

}  // namespace somnus
