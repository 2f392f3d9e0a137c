// Many hypotheses at once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace somnus {

/// Adjusted p values: all hypotheses with one up to 0.05 may be rejected, and the probability that
/// any of them is true is at most 0.05, however they depend on each other. Holm's procedure ("A
/// simple sequentially rejective multiple test procedure", 1979), with what Shaffer added in 1986
/// where hypotheses exclude each other: at most `most_true` of them can be true at once.
[[nodiscard]] std::vector<double> adjusted_by_holm(std::span<const double> p,
                                                   std::size_t most_true);

}  // namespace somnus
