#include "text/table_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/suggest.hpp"
#include "text/parse_number.hpp"

namespace somnus {
namespace {

std::string_view without_blanks(std::string_view text) {
  const auto start = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(start);
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

}  // namespace

TableColumns::TableColumns(std::size_t count) : are_numbers_(true) {
  for (std::size_t number = 1; number <= count; ++number) {
    names_.push_back(std::to_string(number));
  }
}

std::optional<std::size_t> TableColumns::find(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

std::string TableColumns::listed() const {
  constexpr std::size_t most_listed = 30;
  if (are_numbers_) return fmt::format("the file has columns 1 to {}", names_.size());
  const auto shown = std::span(names_).first(std::min(most_listed, names_.size()));
  const std::size_t more = names_.size() - shown.size();
  return fmt::format("the file has {}{}", fmt::join(shown, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

tl::expected<std::size_t, TableColumns::ColumnError> TableColumns::column(
    std::string_view name) const {
  const auto found = find(name);
  if (!found) {
    std::string hint = are_numbers_ ? "" : suggest(name, names_);
    if (!hint.starts_with("did you mean")) hint = listed();
    return tl::unexpected(ColumnError{.what = fmt::format("expected a column, found '{}'", name),
                                      .hint = std::move(hint)});
  }
  if (std::ranges::count(names_, name) > 1) {
    return tl::unexpected(ColumnError{
        .what = fmt::format("expected one column, found several that are called '{}'", name),
        .hint = "header = false makes the columns 1, 2, ..."});
  }
  return *found;
}

tl::expected<TableNumber, TableColumns::ColumnError> TableColumns::number(
    std::string_view text) const {
  text = without_blanks(text);
  if (find(text)) {
    return column(text).map([](std::size_t found) { return TableNumber{.column = found}; });
  }
  const bool marked = text.starts_with('=');
  const auto constant = parse_number<double>(marked ? without_blanks(text.substr(1)) : text);
  if (constant && (marked || !are_numbers_)) return TableNumber{.constant = *constant};
  if (marked) {
    return tl::unexpected(ColumnError{
        .what = fmt::format("expected a number as a constant, found '{}'", text), .hint = ""});
  }
  return product(text);
}

tl::expected<TableNumber, TableColumns::ColumnError> TableColumns::product(
    std::string_view text) const {
  const auto sign = find(text) ? std::string_view::npos : text.find_last_of("*/");
  if (sign == std::string_view::npos) return difference(text);
  const std::string_view right = without_blanks(text.substr(sign + 1));
  const auto scale = parse_number<double>(right);
  const bool is_column = !scale && find(right);
  if (!is_column && (!scale || *scale <= 0)) return difference(text);
  auto made = product(without_blanks(text.substr(0, sign)));
  if (!made) return made;
  const bool multiplies = text[sign] == '*';
  if (scale) {
    (multiplies ? made->times : made->by) *= *scale;
    return made;
  }
  std::optional<std::size_t>& place = multiplies ? made->factor : made->divisor;
  if (place) {
    return tl::unexpected(ColumnError{
        .what = fmt::format("expected one column behind a {}, found two in '{}'", text[sign], text),
        .hint = ""});
  }
  return column(right).map([&](std::size_t found) {
    place = found;
    return *made;
  });
}

tl::expected<TableNumber, TableColumns::ColumnError> TableColumns::difference(
    std::string_view text) const {
  const bool in_brackets = !find(text) && text.starts_with('(') && text.ends_with(')');
  if (in_brackets) text = without_blanks(text.substr(1, text.size() - 2));
  if (!find(text)) {
    for (auto at = text.find('-'); at != std::string_view::npos; at = text.find('-', at + 1)) {
      const auto from = find(without_blanks(text.substr(0, at)));
      const auto minus = find(without_blanks(text.substr(at + 1)));
      if (from && minus) return TableNumber{.column = from, .minus = minus};
    }
  }
  return column(text).map([](std::size_t found) { return TableNumber{.column = found}; });
}

tl::expected<TableText, TableColumns::ColumnError> TableColumns::text(std::string_view text) const {
  text = without_blanks(text);
  if (text.starts_with('=') && !find(text)) {
    return TableText{.column = {}, .constant = std::string(without_blanks(text.substr(1)))};
  }
  return column(text).map(
      [](std::size_t found) { return TableText{.column = found, .constant = {}}; });
}

}  // namespace somnus
