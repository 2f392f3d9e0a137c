#include "print/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "print/printable.hpp"

namespace somnus {
namespace {

constexpr std::size_t between_columns = 2;

std::string with_thousands(double count) {
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t left = digits.size(); left > 3; left -= 3) digits.insert(left - 3, ",");
  return digits;
}

int decimals_for(double value) {
  if (value >= 1000) return 1;
  return value >= 100 ? 2 : 3;
}

std::string spaces_to(std::size_t width, std::string_view text) {
  return fmt::format("{:{}}", "", width - character_count(text));
}

/// By column, in characters: the title's, then the cells'.
std::vector<std::size_t> widths_of(std::span<const TextRow> rows) {
  std::vector<std::size_t> widths(1 + rows.front().cells.size(), 0);
  for (const TextRow& row : rows) {
    widths[0] = std::max(widths[0], character_count(row.title));
    for (std::size_t at = 0; at < row.cells.size(); ++at) {
      widths[at + 1] = std::max(widths[at + 1], character_count(row.cells[at]));
    }
  }
  return widths;
}

std::string line_of(const TextRow& row, std::span<const std::size_t> widths, std::size_t begin,
                    std::size_t end) {
  std::string line = row.title + spaces_to(widths[0], row.title);
  for (std::size_t at = begin; at < end; ++at) {
    line += fmt::format("{:{}}", "", between_columns) + spaces_to(widths[at + 1], row.cells[at]) +
            row.cells[at];
  }
  return line + '\n';
}

}  // namespace

Scale scale_for(std::string_view unit, std::span<const double> values) {
  if (unit == "%") return {"%", 100, 1};
  double largest = 0;
  for (const double value : values) largest = std::fmax(largest, std::abs(value));
  if (unit != "s") return {"", 1, decimals_for(largest)};
  constexpr double hour_s = 3600;
  constexpr double day_s = 24 * hour_s;
  if (largest >= 100 * day_s) return {"d", 1 / day_s, decimals_for(largest / day_s)};
  if (largest >= day_s) return {"h", 1 / hour_s, decimals_for(largest / hour_s)};
  if (largest >= 1 || largest == 0) return {"s", 1, decimals_for(largest)};
  if (largest >= 1e-3) return {"ms", 1e3, decimals_for(largest * 1e3)};
  return {"us", 1e6, decimals_for(largest * 1e6)};
}

std::string cell(double value, std::string_view unit, const Scale& scale) {
  if (std::isnan(value)) return "-";
  if (unit == "1") return with_thousands(value);
  std::string text = fmt::format("{:.{}f}", value * scale.factor, scale.decimals);
  const bool rounds_to_zero = text.find_first_not_of("-0.") == std::string::npos;
  if (rounds_to_zero && text.front() == '-') text.erase(0, 1);
  return text;
}

std::string with_unit(std::string title, const Scale& scale) {
  if (*scale.unit != '\0') title += fmt::format(" [{}]", scale.unit);
  return title;
}

TextRow figure_row(std::string title, std::string_view unit, std::span<const double> values) {
  const Scale scale = scale_for(unit, values);
  TextRow row{.title = with_unit(std::move(title), scale)};
  for (const double value : values) row.cells.push_back(cell(value, unit, scale));
  return row;
}

std::string aligned(std::span<const TextRow> rows, std::size_t width) {
  if (rows.empty()) return {};
  const std::vector<std::size_t> widths = widths_of(rows);
  const std::size_t cells = widths.size() - 1;
  std::string text;
  for (std::size_t begin = 0, end = 0; begin == 0 || begin < cells; begin = end) {
    std::size_t taken = widths[0];
    for (end = begin; end < cells; ++end) {
      const std::size_t more = between_columns + widths[end + 1];
      if (end > begin && taken + more > width) break;
      taken += more;
    }
    if (begin > 0) text += '\n';
    for (const TextRow& row : rows) text += line_of(row, widths, begin, end);
    if (end == cells) break;
  }
  return text;
}

}  // namespace somnus
