#include "print/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "print/printable.hpp"

namespace somnus {
namespace {

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

}  // namespace

Scale scale_for(std::string_view unit, std::span<const double> values) {
  if (unit == "%") return {"%", 100, 1};
  double largest = 0;
  for (const double value : values) largest = std::fmax(largest, std::abs(value));
  if (unit != "s") return {"", 1, decimals_for(largest)};
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

std::vector<std::size_t> widths_of(std::span<const TextRow> rows) {
  if (rows.empty()) return {};
  std::vector<std::size_t> widths(1 + rows.front().cells.size(), 0);
  for (const TextRow& row : rows) {
    widths[0] = std::max(widths[0], character_count(row.title));
    for (std::size_t at = 0; at < row.cells.size(); ++at) {
      widths[at + 1] = std::max(widths[at + 1], character_count(row.cells[at]));
    }
  }
  return widths;
}

std::string aligned(std::span<const TextRow> rows) {
  const std::vector<std::size_t> widths = widths_of(rows);
  std::string text;
  for (const TextRow& row : rows) {
    text += row.title + spaces_to(widths[0], row.title);
    for (std::size_t at = 0; at < row.cells.size(); ++at) {
      text += "  " + spaces_to(widths[at + 1], row.cells[at]) + row.cells[at];
    }
    text += '\n';
  }
  return text;
}

}  // namespace somnus
