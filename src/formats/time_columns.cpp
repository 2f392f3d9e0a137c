#include "formats/time_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "formats/time_scale.hpp"
#include "model/limits.hpp"

namespace somnus {
namespace {

using Columns = std::vector<std::size_t>;

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

bool is_never_later(const GuessState& state, std::size_t column, std::size_t than) {
  const ColumnFacts& one = state.columns[column].facts;
  const ColumnFacts& other = state.columns[than].facts;
  const TimeScale scale = scale_of(state.columns[column]);
  const bool are_alike = (one.dates > 0) == (other.dates > 0) && one.spans == 0 &&
                         scale.seconds == scale_of(state.columns[than]).seconds &&
                         one.most_alike < one.filled &&
                         (one.dates > 0 || 2 * one.most >= other.most);
  if (!are_instants(one) || !are_alike) return false;
  std::size_t rows = 0;
  for (std::size_t row = 0; row < one.values.size(); ++row) {
    const auto& early = one.values[row];
    const auto& late = other.values[row];
    if (!early || !late || late->value <= 0) continue;
    if (early->value > late->value) return false;
    ++rows;
  }
  return 2 * rows > one.values.size();
}

bool is_as_long(const GuessState& state, std::size_t column, double unit_s, std::size_t start,
                std::size_t end) {
  const ColumnFacts& from = state.columns[start].facts;
  const ColumnFacts& to = state.columns[end].facts;
  const double instants_s = scale_of(state.columns[end]).seconds;
  const auto has_fraction = [&](const std::optional<CellNumber>& value) {
    return value && value->value * instants_s != std::floor(value->value * instants_s);
  };
  const bool are_fine = std::ranges::any_of(from.values, has_fraction) ||
                        std::ranges::any_of(to.values, has_fraction);
  const double slack_s = are_fine ? 0.01 : 1;  // of times in whole seconds
  std::size_t rows = 0;
  std::size_t alike = 0;
  for (std::size_t row = 0; row < from.values.size(); ++row) {
    const auto& took = state.columns[column].facts.values[row];
    if (!took || !from.values[row] || !to.values[row] || to.values[row]->value <= 0) continue;
    ++rows;
    const double between_s = (to.values[row]->value - from.values[row]->value) * instants_s;
    const double off_s = std::abs(took->value * unit_s - between_s);
    alike += off_s <= std::max(slack_s, 0.02 * between_s) ? 1 : 0;
  }
  return rows > 0 && 10 * alike >= 9 * rows;
}

}  // namespace

bool are_instants(const ColumnFacts& facts) {
  return facts.are_mostly(facts.numbers + facts.dates);
}

Columns columns_between(const GuessState& state, std::optional<std::size_t> low, std::size_t high) {
  Columns found;
  for (std::size_t column = 0; column < state.columns.size(); ++column) {
    if (column == high || column == low || state.is_known(column)) continue;
    if (!is_never_later(state, column, high) || (low && !is_never_later(state, *low, column)))
      continue;
    found.push_back(column);
  }
  return found;
}

std::string difference(const GuessState& state, std::size_t from, std::size_t to, double unit_s) {
  const std::string plain =
      fmt::format("{} - {}", state.columns[to].name, state.columns[from].name);
  return unit_s == 1 ? plain : fmt::format("({}){}", plain, factor_of(unit_s));
}

std::vector<double> units_that_fit(const GuessState& state, std::size_t column, std::size_t start,
                                   std::size_t end) {
  const TimeScale scale = scale_of(state.columns[column]);
  const std::vector<double> units =
      scale.is_known ? std::vector{scale.seconds} : std::vector{1.0, 1e-3, 1e-6, 60.0, 3600.0};
  std::vector<double> fits;
  std::ranges::copy_if(units, std::back_inserter(fits), [&](double unit_s) {
    return is_as_long(state, column, unit_s, start, end);
  });
  return fits;
}

bool is_never_shorter(const GuessState& state, std::size_t column, std::size_t start,
                      std::size_t end) {
  const double unit_s = scale_of(state.columns[column]).seconds;
  const auto ran =
      state.values_of(difference(state, start, end, scale_of(state.columns[end]).seconds));
  std::size_t rows = 0;
  std::size_t as_long = 0;
  for (std::size_t row = 0; row < ran.size(); ++row) {
    const auto& value = state.columns[column].facts.values[row];
    if (!value || !ran[row]) continue;
    ++rows;
    as_long += value->value * unit_s >= *ran[row] ? 1 : 0;
  }
  return rows > 0 && 20 * as_long >= 19 * rows;
}

std::vector<double> possible_units(const std::vector<std::optional<double>>& of) {
  constexpr double long_s = 6 * 3600.0;
  constexpr double short_s = 1e-3;
  std::vector<double> values;
  for (const auto& value : of) {
    if (value && *value > 0) values.push_back(*value);
  }
  const double median = median_of(values);
  if (median <= long_s) return {1};
  const double most = std::ranges::max(values);
  std::vector<double> units;
  for (const double unit_s : {1.0, 1e-3, 1e-6}) {
    if (most * unit_s <= longest_exact_seconds && median * unit_s >= short_s) {
      units.push_back(unit_s);
    }
  }
  return units.empty() ? std::vector{1.0} : units;
}

}  // namespace somnus
