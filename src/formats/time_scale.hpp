// In which unit the times of a table's column are, as far as its name and its cells show it.
#pragma once

#include <optional>
#include <string>

#include "formats/guess_state.hpp"

namespace somnus {

struct TimeScale {
  std::string words;
  double seconds = 1;        // that a number is worth
  bool is_known = true;      // else seconds are but what is usual
  bool may_be_days = false;  // 45407.33 is a morning of 2024, as spreadsheets count
};
[[nodiscard]] TimeScale scale_of(const GuessColumn& column);

[[nodiscard]] const char* name_of_unit(double unit_s);

/// Of numbers of that size, which then count from 1970 on: from the year 2001 to 2100. 0 and what
/// is below say nothing.
[[nodiscard]] std::optional<double> unit_since_1970(const ColumnFacts& facts);

}  // namespace somnus
