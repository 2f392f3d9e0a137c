// Where along an axis a mean over seeds may be 0.
//
// Seeds are the same at all steps. So between two steps each seed's value is interpolated linearly,
// and at each place x the test asks whether the mean of these may be 0 there. The places that it
// does not reject are a confidence set for the zero of the mean, by inversion as in Fieller's
// theorem: exact for normal values, wherever the mean over all seeds is itself linear between
// steps. The mean and the variance of interpolated values are a line and a parabola, so each end of
// the set is the root of a quadratic equation. The set may be empty, reach an end of the axis, or
// have several pieces.
#pragma once

#include <span>
#include <vector>

#include "experiment/mean_test.hpp"

namespace somnus {

/// A piece of that set.
struct ZeroRegion {
  double low = 0;
  double high = 0;
  std::vector<double> at;  // where the mean of these seeds is 0
};

/// `steps` ascends; `values` has each step's, by seed, as many as there are; NaN where a run is
/// missing.
[[nodiscard]] std::vector<ZeroRegion> zeros_of(std::span<const double> steps,
                                               std::span<const std::vector<double>> values,
                                               MeanTest test, double level);

}  // namespace somnus
