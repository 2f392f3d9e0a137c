// The distribution of values, drawn in one line of text.
#pragma once

#include <span>
#include <string>

namespace somnus {

enum class Scale { linear, logarithmic };

/// Counts of the values in 48 equal parts of their range, as bars of eight heights, the highest for
/// the largest count; a part without a value is blank. Logarithmic: equal parts of the range of
/// their logarithms; values must be above 0. All values alike: one bar. UTF-8, 48 characters wide.
[[nodiscard]] std::string bars(std::span<const double> values, Scale scale);

}  // namespace somnus
