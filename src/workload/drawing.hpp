// The distribution of values, drawn in one line of text.
#pragma once

#include <span>
#include <string>

namespace somnus {

enum class Distribution { linear, logarithmic };

/// Counts of the values in 30 equal parts of their range, as bars of eight heights, the highest for
/// the largest count; a part without a value is blank. Logarithmic: equal parts of the range of
/// their logarithms; values must be above 0. All values alike: one bar. UTF-8, 30 characters wide.
[[nodiscard]] std::string bars(std::span<const double> values, Distribution along);

}  // namespace somnus
