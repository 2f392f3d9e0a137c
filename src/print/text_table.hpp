// Tables of figures in plain text: a title, then cells that line up on the right.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace somnus {

/// Of a line, in characters, where nobody says what fits.
inline constexpr std::size_t usual_width = 80;

struct TextRow {
  std::string title;
  std::vector<std::string> cells;
};

/// How figures that belong together are written: their largest reads as 1 or more, and durations
/// beyond a day have no more than five digits before the point.
struct Scale {
  const char* unit;  // empty: of a plain number
  double factor;
  int decimals;
};

/// Units as in descriptions: "s", "%", "1" for a count, "x" for a ratio.
[[nodiscard]] Scale scale_for(std::string_view unit, std::span<const double> values);
/// "-" for NaN; counts with commas.
[[nodiscard]] std::string cell(double value, std::string_view unit, const Scale& scale);
/// "makespan [ms]"
[[nodiscard]] std::string with_unit(std::string title, const Scale& scale);

/// One figure in several columns, on one scale.
[[nodiscard]] TextRow figure_row(std::string title, std::string_view unit,
                                 std::span<const double> values);

/// One line a row; all rows have as many cells. Columns that do not fit beside the titles stand
/// below the others, beside the same titles.
[[nodiscard]] std::string aligned(std::span<const TextRow> rows, std::size_t width = usual_width);

}  // namespace somnus
