#include "formats/guess_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/table_options.hpp"

namespace somnus {

std::optional<TableNumber> number_in(const TableSample& sample, std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto meant = columns_of(sample).number(text);
  return meant ? std::optional(*meant) : std::nullopt;
}

std::string factor_of(double unit_s) {
  if (unit_s == 1) return "";
  return unit_s > 1 ? fmt::format("*{}", unit_s) : fmt::format("/{:.10g}", 1 / unit_s);
}

std::string GuessState::text_of(const char* parameter) const {
  for (const Parameters* const from : {&given_, &guess.parameters}) {
    const auto found = from->find(parameter);
    if (found == from->end()) continue;
    const Table as_text = numbers_as_texts({{parameter, found->second}});
    const std::string* const text = as_text.at(parameter).text();
    return text == nullptr ? "" : *text;
  }
  return "";
}

bool GuessState::has_role(std::size_t column, std::initializer_list<ColumnRole> roles) const {
  return std::ranges::any_of(
      roles, [&](ColumnRole role) { return rank_of(role, columns[column].words).has_value(); });
}

bool GuessState::is_known(std::size_t column) const {
  for (int role = 0; role <= static_cast<int>(ColumnRole::parents); ++role) {
    if (has_role(column, {static_cast<ColumnRole>(role)})) return true;
  }
  for (const auto& [parameter, value] : given_) {
    if (value.table() != nullptr) continue;
    const auto named = columns_in(text_of(parameter.c_str()));
    if (std::ranges::find(named, column) != named.end()) return true;
  }
  return false;
}

bool GuessState::are_equal(const std::vector<std::size_t>& of) const {
  return std::ranges::all_of(of, [&](std::size_t column) {
    return sample_.columns[column] == sample_.columns[of.front()];
  });
}

std::vector<std::string> GuessState::names_of_columns(const std::vector<std::size_t>& of) const {
  std::vector<std::string> names;
  for (const std::size_t column : of) names.push_back(columns[column].name);
  return names;
}

std::vector<std::optional<double>> GuessState::values_of(std::string_view text) const {
  std::vector<std::optional<double>> values(sample_.rows());
  const auto meant = number_in(sample_, text);
  if (!meant) return values;
  const auto cell = [&](const std::optional<std::size_t>& column, std::size_t row,
                        double absent) -> std::optional<double> {
    if (!column) return absent;
    const auto& value = columns[*column].facts.values[row];
    return value ? std::optional(value->value) : std::nullopt;
  };
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto first = cell(meant->column, row, meant->constant);
    const auto minus = cell(meant->minus, row, 0);
    const auto factor = cell(meant->factor, row, 1);
    const auto divisor = cell(meant->divisor, row, 1);
    if (!first || !minus || !factor || !divisor || *divisor == 0) continue;
    values[row] = (*first - *minus) * *factor / *divisor * meant->times / meant->by;
  }
  return values;
}

std::vector<std::size_t> GuessState::columns_in(const std::string& text) const {
  std::vector<std::size_t> found;
  if (text.empty()) return found;
  const TableColumns all = columns_of(sample_);
  if (const auto number = all.number(text)) {
    for (const auto& column : {number->column, number->minus, number->factor, number->divisor}) {
      if (column) found.push_back(*column);
    }
  } else if (const auto plain = all.text(text); plain && plain->column) {
    found.push_back(*plain->column);
  }
  return found;
}

void GuessState::choose(const char* parameter, std::string why,
                        const std::vector<std::size_t>& of) {
  for (const std::size_t column : of) use(column);
  ask(parameter, std::move(why), names_of_columns(of));
}

void GuessState::ask(const char* parameter, std::string why, std::vector<std::string> candidates,
                     std::vector<std::string> others) {
  guess.choices.push_back({.parameter = parameter,
                           .why = std::move(why),
                           .candidates = std::move(candidates),
                           .others = std::move(others)});
}

std::string GuessState::unreadable(ColumnRole role) const {
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const GuessColumn& one = columns[column];
    if (one.is_used || !has_role(column, {role}) || one.facts.unread.empty()) continue;
    const std::string hint = hint_for_cell(one.facts.unread, style);
    return fmt::format("{} may be it, but its '{}' is not read{}", one.name, one.facts.unread,
                       hint.empty() ? "" : ": " + hint);
  }
  return "";
}

}  // namespace somnus
