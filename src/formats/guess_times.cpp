#include "formats/guess_times.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace somnus {
namespace {

bool are_instants(const ColumnFacts& facts) {
  return facts.are_mostly(facts.numbers + facts.dates);
}

bool are_lengths(const ColumnFacts& facts) {
  return facts.are_mostly(facts.numbers + facts.spans) && (facts.numbers == 0 || facts.least >= 0);
}

std::string factor_of(double unit_s) {
  if (unit_s == 1) return "";
  return unit_s > 1 ? fmt::format("*{}", unit_s) : fmt::format("/{:.0f}", 1 / unit_s);
}

const char* name_of_unit(double unit_s) {
  if (unit_s == 1e-3) return "milliseconds";
  if (unit_s == 1e-6) return "microseconds";
  if (unit_s == 1e-9) return "nanoseconds";
  if (unit_s == 60) return "minutes";
  return unit_s == 3600 ? "hours" : "seconds";
}

/// Of numbers of that size, which then count from 1970 on: from the year 2001 to 2100.
std::optional<double> unit_since_1970(const ColumnFacts& facts) {
  for (const double unit_s : {1.0, 1e-3, 1e-6, 1e-9}) {
    if (facts.least * unit_s >= 1e9 && facts.most * unit_s <= 4.2e9) return unit_s;
  }
  return std::nullopt;
}

}  // namespace

bool TimesGuesser::are_equal(const std::vector<std::size_t>& columns) const {
  return std::ranges::all_of(columns, [&](std::size_t column) {
    return sample_.columns[column] == sample_.columns[columns.front()];
  });
}

void TimesGuesser::choose(const char* parameter, std::string why,
                          const std::vector<std::size_t>& columns) {
  GuessChoice choice{.parameter = parameter, .why = std::move(why), .candidates = {}};
  for (const std::size_t column : columns) {
    columns_[column].is_used = true;
    choice.candidates.push_back(columns_[column].name);
  }
  guess_.choices.push_back(std::move(choice));
}

TimesGuesser::Scale TimesGuesser::scale_of(const GuessColumn& column) const {
  const ColumnFacts& facts = column.facts;
  if (facts.spans > 0) return {.words = "lengths of time", .factor = ""};
  if (facts.dates > 0) {
    return {.words = facts.zones > 0 ? "dates with a zone"
                                     : "dates without a zone, read as they are: where clocks are "
                                       "changed, an hour is too much or too little",
            .factor = ""};
  }
  const bool is_instant = rank_of(ColumnRole::duration, column.words) == std::nullopt;
  const auto since_1970 = is_instant ? unit_since_1970(facts) : std::nullopt;
  const auto unit_s = column.words.unit_s ? column.words.unit_s : since_1970;
  if (!unit_s)
    return {
        .words = fmt::format("numbers, taken for seconds: the name has no unit (milliseconds are "
                             "{}/1000)",
                             column.name),
        .factor = "",
        .is_known = false};
  return {
      .words = fmt::format("{}{}, by {}", name_of_unit(*unit_s), since_1970 ? " since 1970" : "",
                           column.words.unit_s ? "its name" : "the size of its numbers"),
      .factor = factor_of(*unit_s),
      .seconds = *unit_s};
}

std::optional<std::size_t> TimesGuesser::only(ColumnRole role) const {
  const auto named = best(role, are_instants);
  return named.size() == 1 || (!named.empty() && are_equal(named)) ? std::optional(named.front())
                                                                   : std::nullopt;
}

void TimesGuesser::missing(const char* parameter, const std::string& what) {
  guess_.choices.push_back({parameter, what, {}});
}

void TimesGuesser::guess(const Parameters& given) {
  if (!given.contains("submit")) guess_submit();
  if (!given.contains("duration")) guess_duration();
}

void TimesGuesser::guess_submit() {
  const auto named = best(ColumnRole::submit, are_instants);
  if (named.size() > 1 && !are_equal(named)) {
    return choose("submit", "expected one column of when jobs come", named);
  }
  submit_ = named.empty() ? only(ColumnRole::start) : std::optional(named.front());
  if (!submit_) {
    return missing("submit", "expected a column of when jobs come, found none by its name");
  }
  GuessColumn& column = columns_[*submit_];
  column.is_used = true;
  const Scale scale = scale_of(column);
  guess_.parameters["submit"] = column.name + scale.factor;
  guess_.assumed.push_back(fmt::format("{}: {}", column.name, scale.words));
  if (named.empty()) {
    guess_.assumed.push_back(fmt::format(
        "jobs come when they started ({}): no column says when they were submitted", column.name));
  }
}

void TimesGuesser::guess_duration() {
  const auto named = best(ColumnRole::duration, are_lengths);
  const auto start = only(ColumnRole::start);
  const auto end = only(ColumnRole::end);
  if (named.size() > 1 && !are_equal(named)) {
    return choose("duration", "expected one column of how long tasks take", named);
  }
  if (!named.empty()) return take_duration(columns_[named.front()], start, end);
  if (start && end) return take_difference(columns_[*start], columns_[*end]);
  std::vector<std::string> candidates;
  if (submit_ && end) {
    candidates.push_back(difference(columns_[*submit_], columns_[*end]));
    columns_[*end].is_used = true;
  }
  guess_.choices.push_back({"duration",
                            candidates.empty()
                                ? "expected a column of how long tasks take, found none by its name"
                                : "expected how long tasks take, found only when they ended: the "
                                  "difference has their waiting in it",
                            candidates});
}

std::string TimesGuesser::difference(const GuessColumn& start, const GuessColumn& end) const {
  const std::string plain = fmt::format("{} - {}", end.name, start.name);
  const std::string factor = scale_of(end).factor;
  return factor.empty() ? plain : fmt::format("({}){}", plain, factor);
}

void TimesGuesser::take_difference(const GuessColumn& start, const GuessColumn& end) {
  const Scale scale = scale_of(end);
  const bool has_one_unit = scale.factor == scale_of(start).factor;
  if (!has_one_unit) {
    return missing("duration",
                   fmt::format("expected one unit, found {} in {} and {} in {}",
                               scale_of(start).words, start.name, scale.words, end.name));
  }
  guess_.parameters["duration"] = difference(start, end);
  guess_.assumed.push_back(
      fmt::format("tasks take {} - {}: {}", end.name, start.name, scale.words));
  for (GuessColumn& column : columns_) {
    if (&column == &start || &column == &end) column.is_used = true;
  }
}

bool TimesGuesser::is_as_long(const GuessColumn& column, double unit_s, const GuessColumn& start,
                              const GuessColumn& end) const {
  const double instants_s = scale_of(end).seconds;
  const auto has_fraction = [&](const std::optional<CellNumber>& value) {
    return value && value->value * instants_s != std::floor(value->value * instants_s);
  };
  const bool are_fine = std::ranges::any_of(start.facts.values, has_fraction) ||
                        std::ranges::any_of(end.facts.values, has_fraction);
  const double slack_s = are_fine ? 0.01 : 1;  // of times in whole seconds
  std::size_t rows = 0;
  std::size_t alike = 0;
  for (std::size_t row = 0; row < sample_.rows(); ++row) {
    const auto& took = column.facts.values[row];
    const auto& from = start.facts.values[row];
    const auto& to = end.facts.values[row];
    if (!took || !from || !to) continue;
    ++rows;
    const double took_s = took->value * unit_s;
    const double between_s = (to->value - from->value) * instants_s;
    alike += std::abs(took_s - between_s) <= std::max(slack_s, 0.02 * between_s) ? 1 : 0;
  }
  return rows > 0 && 10 * alike >= 9 * rows;
}

void TimesGuesser::take_duration(const GuessColumn& column, std::optional<std::size_t> start,
                                 std::optional<std::size_t> end) {
  Scale scale = scale_of(column);
  for (GuessColumn& each : columns_) each.is_used = each.is_used || &each == &column;
  if (start && end) {
    const GuessColumn& from = columns_[*start];
    const GuessColumn& to = columns_[*end];
    const std::vector<double> units =
        scale.is_known ? std::vector{scale.seconds} : std::vector{1.0, 1e-3, 1e-6, 60.0, 3600.0};
    std::vector<double> fits;
    std::ranges::copy_if(units, std::back_inserter(fits),
                         [&](double unit_s) { return is_as_long(column, unit_s, from, to); });
    columns_[*start].is_used = columns_[*end].is_used = true;
    if (fits.size() != 1) {
      std::vector<std::string> candidates;
      for (const double unit_s : fits) candidates.push_back(column.name + factor_of(unit_s));
      if (fits.empty()) candidates.push_back(column.name + scale.factor);
      candidates.push_back(difference(from, to));
      guess_.choices.push_back(
          {"duration",
           fmt::format("expected {} in the one unit in which it is as long as {} - {}, found {}",
                       column.name, to.name, from.name, fits.empty() ? "none" : "several"),
           std::move(candidates)});
      return;
    }
    guess_.parameters["duration"] = column.name + factor_of(fits.front());
    guess_.assumed.push_back(fmt::format("{}: {}, as {} - {} shows", column.name,
                                         scale.is_known ? scale.words : name_of_unit(fits.front()),
                                         to.name, from.name));
    return;
  }
  const bool other_has_unit = submit_ && !scale_of(columns_[*submit_]).factor.empty();
  if (!scale.is_known && other_has_unit) {
    const std::string factor = scale_of(columns_[*submit_]).factor;
    guess_.choices.push_back(
        {"duration",
         fmt::format("expected the unit of {}, found none in its name; {} is in {}", column.name,
                     columns_[*submit_].name, name_of_unit(scale_of(columns_[*submit_]).seconds)),
         {column.name, column.name + factor}});
    return;
  }
  guess_.parameters["duration"] = column.name + scale.factor;
  guess_.assumed.push_back(fmt::format("{}: {}", column.name, scale.words));
}

}  // namespace somnus
