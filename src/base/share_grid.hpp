// Shares of a cluster's resources, compared as base/grid.hpp compares times: those that are equal
// in exact arithmetic share a cell.
#pragma once

#include <cstdint>

#include "base/grid.hpp"

namespace somnus {

constexpr double share_cell_width = 1.0 / (1 << 30);

/// Cells of 2^-30, their borders where no fraction with a small denominator is; a double's rounding
/// is a millionth of a cell. For values of some thousands at most.
[[nodiscard]] inline std::int64_t share_cell(double value) {
  const double cells = value / share_cell_width + grid::section;
  const auto toward_0 = static_cast<std::int64_t>(cells);
  return toward_0 - (static_cast<double>(toward_0) > cells ? 1 : 0);
}

}  // namespace somnus
