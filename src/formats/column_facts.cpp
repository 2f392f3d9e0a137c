#include "formats/column_facts.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace somnus {
namespace {

constexpr std::string_view digits = "0123456789";

/// Digits with one of these signs within, such as 1,5.
bool is_number_with(std::string_view text, char sign) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto at = text.find(sign);
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) return false;
  return text.find_first_not_of(digits) == at &&
         text.substr(at + 1).find_first_not_of(digits) == std::string_view::npos;
}

/// 1,234 is: of three digits behind, and at most three before.
bool may_be_thousands(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto at = text.find(',');
  return at <= 3 && text.size() == at + 4 && text.front() != '0';
}

}  // namespace

ColumnFacts facts_of(const std::vector<std::string>& cells, const CellStyle& style) {
  ColumnFacts facts;
  facts.values.reserve(cells.size());
  std::unordered_map<std::string_view, std::size_t> times;
  for (const std::string& cell : cells) {
    facts.values.push_back(parse_cell(cell, style));
    if (cell.empty()) continue;
    ++facts.filled;
    facts.most_alike = std::max(facts.most_alike, ++times[cell]);
    const auto& value = facts.values.back();
    if (!value) {
      if (facts.unread.empty()) facts.unread = cell;
      continue;
    }
    switch (value->form) {
      case CellForm::number:
        facts.least = facts.numbers == 0 ? value->value : std::min(facts.least, value->value);
        facts.most = facts.numbers == 0 ? value->value : std::max(facts.most, value->value);
        if (value->value > 0) {
          facts.least_positive = facts.least_positive == 0
                                     ? value->value
                                     : std::min(facts.least_positive, value->value);
        }
        facts.fractions += value->value != std::floor(value->value) ? 1 : 0;
        ++facts.numbers;
        facts.counts += value->value >= 1 && value->value == std::floor(value->value) ? 1 : 0;
        break;
      case CellForm::date:
        ++facts.dates;
        facts.zones += value->has_zone ? 1 : 0;
        break;
      case CellForm::span:
        ++facts.spans;
        break;
    }
  }
  return facts;
}

StyleFacts style_of(const std::vector<std::vector<std::string>>& columns, char separator) {
  StyleFacts found;
  bool any_point = false;
  bool any_sure_comma = false;
  bool may_be_day_first = true;
  bool may_be_month_first = true;
  for (const std::vector<std::string>& cells : columns) {
    for (const std::string& cell : cells) {
      any_point = any_point || is_number_with(cell, '.');
      if (separator != ',' && is_number_with(cell, ',')) {
        if (found.comma_example.empty()) found.comma_example = cell;
        any_sure_comma = any_sure_comma || !may_be_thousands(cell);
      }
      if (cell.find_first_of("/-") == std::string::npos || parse_date_time(cell)) continue;
      const bool day_first = parse_date_time(cell, DateOrder::day_first).has_value();
      const bool month_first = parse_date_time(cell, DateOrder::month_first).has_value();
      if (!day_first && !month_first) continue;
      if (found.date_example.empty()) found.date_example = cell;
      may_be_day_first = may_be_day_first && day_first;
      may_be_month_first = may_be_month_first && month_first;
    }
  }
  if (!found.comma_example.empty()) {
    found.is_decimal_open = any_point || !any_sure_comma;
    found.style.decimal = DecimalMark::comma;
  }
  if (!found.date_example.empty()) {
    found.is_order_open = may_be_day_first == may_be_month_first;
    found.style.dates = may_be_day_first ? DateOrder::day_first : DateOrder::month_first;
  }
  return found;
}

}  // namespace somnus
