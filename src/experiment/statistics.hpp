// Means and confidence intervals of a sample of runs.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace somnus {

/// A mean with its 95 % confidence interval, by Student's t: right for means of independent runs
/// that are about normally distributed, and near it for others from ten runs on
/// (docs/experiments.md).
struct MeanInterval {
  std::size_t runs = 0;
  double mean = NAN;
  double half_width = NAN;  // NaN of a single run

  /// 0 is not in the interval.
  [[nodiscard]] bool differs_from_zero() const { return std::abs(mean) > half_width; }
};

/// NaN values are not counted.
[[nodiscard]] MeanInterval mean_interval(std::span<const double> values);
/// Of the differences `values - baseline`, pair by pair. Pairs with a NaN are not counted.
[[nodiscard]] MeanInterval paired_difference(std::span<const double> values,
                                             std::span<const double> baseline);
/// How many runs would bring the interval down to `share` of the mean to either side, if the runs
/// to come vary as these did; at least two. 0: these say nothing of that.
[[nodiscard]] double runs_needed(std::span<const double> values, double share);

}  // namespace somnus
