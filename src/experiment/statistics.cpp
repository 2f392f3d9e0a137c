#include "experiment/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <vector>

namespace somnus {
namespace {

double t_quantile(std::size_t runs) {
  constexpr double upper = 0.975;
  const boost::math::students_t distribution(static_cast<double>(runs - 1));
  return boost::math::quantile(distribution, upper);
}

}  // namespace

MeanInterval mean_interval(std::span<const double> values) {
  MeanInterval interval;
  double sum = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    ++interval.runs;
    sum += value;
  }
  if (interval.runs == 0) return interval;
  const double runs = static_cast<double>(interval.runs);
  interval.mean = sum / runs;
  if (interval.runs == 1) return interval;
  double squares = 0;
  for (const double value : values) {
    if (!std::isnan(value)) squares += (value - interval.mean) * (value - interval.mean);
  }
  interval.half_width = t_quantile(interval.runs) * std::sqrt(squares / (runs - 1) / runs);
  return interval;
}

MeanInterval paired_difference(std::span<const double> values, std::span<const double> baseline) {
  std::vector<double> differences;
  const std::size_t pairs = std::min(values.size(), baseline.size());
  for (std::size_t at = 0; at < pairs; ++at) differences.push_back(values[at] - baseline[at]);
  return mean_interval(differences);
}

double runs_needed(std::span<const double> values, double share) {
  const MeanInterval now = mean_interval(values);
  if (std::isnan(now.half_width) || now.mean == 0) return 0;
  const double times = now.half_width / std::abs(now.mean) / share;
  return std::max(2.0, std::ceil(static_cast<double>(now.runs) * times * times));
}

}  // namespace somnus
