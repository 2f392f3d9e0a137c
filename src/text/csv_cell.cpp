#include "text/csv_cell.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace somnus {
namespace {

/// -1.5e3, which is no formula; not inf and nan, which spreadsheets do not know.
bool is_number(std::string_view text) {
  const bool has_sign = text.starts_with('+') || text.starts_with('-');
  if (has_sign) text.remove_prefix(1);
  const bool begins =
      !text.empty() && (text.front() == '.' || (text.front() >= '0' && text.front() <= '9'));
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return begins && error != std::errc::invalid_argument && end == text.data() + text.size();
}

/// Whether it is a formula but for the apostrophes in front of it. The last four are the wide forms
/// of the first: = + - @.
bool is_formula_behind_apostrophes(std::string_view text) {
  constexpr std::array<std::string_view, 11> beginnings = {
      "=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"};
  const auto apostrophes = std::min(text.find_first_not_of('\''), text.size());
  const std::string_view rest = text.substr(apostrophes);
  if (apostrophes == 0 && is_number(rest)) return false;
  return std::ranges::any_of(beginnings, [&](std::string_view each) {
    return rest.starts_with(each) && rest.size() > each.size();
  });
}

}  // namespace

std::string csv_cell(std::string_view text) {
  std::string cell = is_formula_behind_apostrophes(text) ? "'" : "";
  const bool blank_at_an_end = text.starts_with(' ') || text.ends_with(' ');
  if (text.find_first_of(",;|\"\r\n\t") == std::string_view::npos && !blank_at_an_end) {
    return cell += text;
  }
  cell.insert(0, 1, '"');
  for (const char one : text) {
    if (one == '"') cell += '"';
    cell += one;
  }
  return cell + '"';
}

std::string_view csv_text(std::string_view cell) {
  const bool has_one = cell.starts_with('\'') && is_formula_behind_apostrophes(cell);
  return has_one ? cell.substr(1) : cell;
}

}  // namespace somnus
