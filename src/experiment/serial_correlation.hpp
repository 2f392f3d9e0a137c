// Whether the values of a series are alike their neighbours.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace somnus {

struct SerialCorrelation {
  double lag_1 = NAN;  // of each value with the next
  double p = 1;        // one-sided: of independent values, that it is as large
};

/// Fewer values than these say nothing of that.
inline constexpr std::size_t least_values_of_series = 8;

/// Von Neumann's ratio of mean square successive differences to the variance ("Distribution of the
/// ratio of the mean square successive difference to the variance", 1941), as
///
///   C = 1 - sum (x_i - x_(i + 1))^2 / (2 sum (x_i - mean)^2),
///
/// the correlation at lag 1 with what the two ends lack. Of n independent normal values its mean is
/// 0 and its variance (n - 2) / (n^2 - 1), and from eight on it is about normal (Fishman,
/// Principles of Discrete Event Simulation, 1978). NaN values are not counted. Values that are all
/// alike are not correlated.
[[nodiscard]] SerialCorrelation serial_correlation(std::span<const double> series);

}  // namespace somnus
