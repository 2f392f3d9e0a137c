#include "experiment/serial_correlation.hpp"

#include <numbers>
#include <vector>

#include "experiment/mean_test.hpp"

namespace somnus {

SerialCorrelation serial_correlation(std::span<const double> series) {
  std::vector<double> known;
  for (const double each : series) {
    if (!std::isnan(each)) known.push_back(each);
  }
  if (known.size() < least_values_of_series) return {};
  const double mean = sample_mean(known).mean;
  double squares = 0;
  double successive = 0;
  for (std::size_t at = 0; at < known.size(); ++at) {
    squares += (known[at] - mean) * (known[at] - mean);
    if (at > 0) successive += (known[at] - known[at - 1]) * (known[at] - known[at - 1]);
  }
  if (successive == 0) return {};  // all alike; rounding may leave squares
  const auto n = static_cast<double>(known.size());
  const double lag_1 = 1 - successive / (2 * squares);
  const double z = lag_1 / std::sqrt((n - 2) / (n * n - 1));
  return {.lag_1 = lag_1, .p = std::erfc(z / std::numbers::sqrt2) / 2};
}

}  // namespace somnus
