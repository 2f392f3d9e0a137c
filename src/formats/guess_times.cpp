#include "formats/guess_times.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "formats/table_rows.hpp"
#include "formats/time_columns.hpp"
#include "formats/time_scale.hpp"
#include "formats/unfinished_rows.hpp"
#include "model/limits.hpp"

namespace somnus {
namespace {

using Columns = std::vector<std::size_t>;

/// -1 stands for none.
bool are_lengths(const ColumnFacts& facts) {
  return facts.are_mostly(facts.numbers + facts.spans) && (facts.numbers == 0 || facts.least >= -1);
}

class TimesGuesser {
 public:
  explicit TimesGuesser(GuessState& state) : state_(state) {}

  void operator()() {
    start_ = only(ColumnRole::start);
    end_ = only(ColumnRole::end);
    if (state_.is_given("submit")) {
      const Columns given = state_.columns_in(state_.text_of("submit"));
      if (!given.empty()) submit_ = given.front();
    } else {
      find_submit();
    }
    if (state_.is_given("duration")) {
      check_duration();
    } else {
      guess_duration();
    }
    if (submit_ && !state_.is_given("submit")) settle_submit();
    note_unfinished(state_);
  }

 private:
  [[nodiscard]] const GuessColumn& at(std::size_t column) const { return state_.columns[column]; }
  [[nodiscard]] TimeScale scale_at(std::size_t column) const { return scale_of(at(column)); }
  [[nodiscard]] std::optional<std::size_t> only(ColumnRole role) const {
    const Columns named = state_.best(role, are_instants);
    return named.size() == 1 || (!named.empty() && state_.are_equal(named))
               ? std::optional(named.front())
               : std::nullopt;
  }
  void find_submit();
  void ask_for_submit();
  void settle_submit();
  void guess_duration();
  [[nodiscard]] bool comes_never(std::size_t column, std::size_t row) const;
  /// Where it is empty beside a start and an end.
  bool asks_for_rows_without(std::size_t duration);
  bool asks_for_rows_that_never_began(std::size_t duration, double unit_s);
  /// The given one, a plain column: whether other columns show that it is in another unit.
  void check_duration();
  void ask_for_duration();
  void take_difference();
  void take_duration(std::size_t column);
  [[nodiscard]] bool hides_rows_that_never_ran(std::size_t column, double unit_s) const;
  /// Seconds since 1970, by their size, may be microseconds since a trace began.
  [[nodiscard]] bool is_beyond_a_workload(std::size_t start, std::size_t end) const;
  /// What makes seconds of the given submit, where it is no more than a number of a column.
  [[nodiscard]] std::optional<double> given_unit(const char* parameter) const;

  GuessState& state_;
  std::optional<std::size_t> submit_;
  std::optional<std::size_t> start_;
  std::optional<std::size_t> end_;
  bool comes_at_start_ = false;
  std::vector<double> open_units_;  // of a duration in clocks of which nothing shows the unit
};

void TimesGuesser::find_submit() {
  const Columns named = state_.best(ColumnRole::submit, are_instants);
  if (named.size() > 1 && !state_.are_equal(named)) {
    return state_.choose("submit", "expected one column of when jobs come", named);
  }
  if (!named.empty()) {
    submit_ = named.front();
    return;
  }
  if (!start_ || !state_.unreadable(ColumnRole::submit).empty()) return ask_for_submit();
  Columns earlier = columns_between(state_, std::nullopt, *start_);
  if (!earlier.empty()) {
    const std::string found =
        fmt::format("{}", fmt::join(state_.names_of_columns(earlier), " and "));
    earlier.push_back(*start_);
    return state_.choose("submit",
                         fmt::format("expected a column of when jobs come, found none by its name; "
                                     "{} comes never after {}",
                                     found, at(*start_).name),
                         earlier);
  }
  submit_ = start_;
  comes_at_start_ = true;
}

void TimesGuesser::ask_for_submit() {
  const std::string unread = state_.unreadable(ColumnRole::submit);
  std::vector<std::string> candidates;
  for (std::size_t column = 0; column < state_.columns.size(); ++column) {
    const ColumnFacts& facts = at(column).facts;
    const bool is_date = facts.are_mostly(facts.dates) || unit_since_1970(facts).has_value();
    if (!is_date || !unread.empty()) continue;
    state_.use(column);
    candidates.push_back(at(column).name + factor_of(scale_at(column).seconds));
  }
  state_.ask("submit",
             fmt::format("expected a column of when jobs come, found none by its name{}",
                         unread.empty() ? "" : "; " + unread),
             std::move(candidates));
}

std::optional<double> TimesGuesser::given_unit(const char* parameter) const {
  if (!state_.is_given(parameter)) return std::nullopt;
  const auto meant = number_in(state_.sample(), state_.text_of(parameter));
  if (!meant || !meant->column) return std::nullopt;
  return meant->times / meant->by;
}

void TimesGuesser::settle_submit() {
  const GuessColumn& column = at(*submit_);
  state_.use(*submit_);
  const TimeScale scale = scale_at(*submit_);
  std::vector<double> units = {scale.seconds};
  const auto unit_of_given = given_unit("duration");
  if (scale.may_be_days) {
    units = {86'400, 1};
  } else if (!column.words.unit_s && column.facts.dates == 0 && !open_units_.empty()) {
    units = open_units_;
  } else if (!scale.is_known && unit_of_given && *unit_of_given != 1 && start_ && end_) {
    units = {*unit_of_given, 1};
  }
  if (units.size() > 1) {
    std::vector<std::string> candidates;
    for (const double unit_s : units) candidates.push_back(column.name + factor_of(unit_s));
    return state_.ask("submit",
                      fmt::format("expected the unit of {}, found {}", column.name,
                                  scale.may_be_days ? "numbers that may be days, as spreadsheets "
                                                      "count them, or seconds"
                                                    : "none in its name"),
                      std::move(candidates));
  }
  state_.guess.parameters["submit"] = column.name + factor_of(units.front());
  state_.assume(fmt::format("{}: {}", column.name,
                            open_units_.empty() ? scale.words : "in the unit of the durations"));
  if (comes_at_start_) {
    state_.assume(fmt::format(
        "jobs come when they started ({}): no column says when they were submitted", column.name));
  }
}

void TimesGuesser::guess_duration() {
  Columns named = state_.best(ColumnRole::duration, are_lengths);
  if (named.size() > 1 && start_ && end_) {
    Columns fitting;
    std::ranges::copy_if(named, std::back_inserter(fitting), [&](std::size_t column) {
      return units_that_fit(state_, column, *start_, *end_).size() == 1;
    });
    if (fitting.size() == 1) named = fitting;
  }
  if (named.size() > 1 && !state_.are_equal(named)) {
    return state_.choose("duration", "expected one column of how long tasks take", named);
  }
  if (!named.empty()) {
    if (!asks_for_rows_without(named.front())) take_duration(named.front());
    return;
  }
  if (start_ && end_) return take_difference();
  ask_for_duration();
}

bool TimesGuesser::comes_never(std::size_t column, std::size_t row) const {
  return never_came(state_.sample().columns[column][row], column == end_);
}

bool TimesGuesser::asks_for_rows_without(std::size_t duration) {
  if (!start_ || !end_) return false;
  std::size_t without = 0;
  const std::size_t rows = state_.sample().rows();
  for (std::size_t row = 0; row < rows; ++row) {
    const bool ran = !comes_never(*start_, row) && !comes_never(*end_, row);
    without += ran && comes_never(duration, row) ? 1 : 0;
  }
  if (without == 0) return false;
  const std::string& name = at(duration).name;
  state_.ask("duration",
             fmt::format("expected how long tasks take, found that {} is empty in {} of {} rows, "
                         "which have {} and {}",
                         name, without, rows, at(*start_).name, at(*end_).name),
             {difference(state_, *start_, *end_, scale_at(*end_).seconds),
              name + factor_of(scale_at(duration).seconds)});
  return true;
}

bool TimesGuesser::asks_for_rows_that_never_began(std::size_t duration, double unit_s) {
  if (!start_) return false;
  std::size_t never = 0;
  const auto& took = at(duration).facts.values;
  for (std::size_t row = 0; row < took.size(); ++row) {
    never += took[row] && took[row]->value == 0 && comes_never(*start_, row) ? 1 : 0;
  }
  if (never == 0) return false;
  const std::string text = at(duration).name + factor_of(unit_s);
  state_.ask("duration",
             fmt::format("expected rows that ran, found {} of {} with a {} of 0 and no {}: leave "
                         "them out of the file, or they become jobs of 0 s",
                         never, took.size(), at(duration).name, at(*start_).name),
             end_ ? std::vector{difference(state_, *start_, *end_, scale_at(*end_).seconds), text}
                  : std::vector{text});
  return true;
}

void TimesGuesser::check_duration() {
  const std::string text = state_.text_of("duration");
  const auto found = std::ranges::find(state_.columns, text, &GuessColumn::name);
  if (found == state_.columns.end() || found->facts.spans > 0) return;
  const auto column = static_cast<std::size_t>(found - state_.columns.begin());
  Columns instants;
  for (std::size_t at = 0; at < state_.columns.size(); ++at) {
    const ColumnFacts& facts = state_.columns[at].facts;
    const bool is_named = at == start_ || at == end_;
    if (is_named || facts.are_mostly(facts.dates)) instants.push_back(at);
  }
  for (const std::size_t from : instants) {
    for (const std::size_t to : instants) {
      if (from == to) continue;
      const auto fits = units_that_fit(state_, column, from, to);
      if (fits.size() != 1 || fits.front() == 1) continue;
      return state_.ask("duration",
                        fmt::format("expected seconds, found that {} is as long as {} - {} in {}",
                                    text, at(to).name, at(from).name, name_of_unit(fits.front())),
                        {text + factor_of(fits.front()), text + "*1"});
    }
  }
}

void TimesGuesser::ask_for_duration() {
  const std::string unread = state_.unreadable(ColumnRole::duration);
  if (!end_ || !submit_ || !unread.empty()) {
    return state_.ask("duration",
                      fmt::format("expected a column of how long tasks take, found none by its "
                                  "name{}",
                                  unread.empty() ? "" : "; " + unread),
                      {});
  }
  state_.use(*end_);
  std::vector<std::string> candidates;
  for (const std::size_t column : columns_between(state_, submit_, *end_)) {
    state_.use(column);
    candidates.push_back(difference(state_, column, *end_, scale_at(*end_).seconds));
  }
  const bool has_starts = !candidates.empty();
  candidates.push_back(difference(state_, *submit_, *end_, scale_at(*end_).seconds));
  state_.ask("duration",
             fmt::format("expected how long tasks take, found only when they ended{}: the {}"
                         "difference has their waiting in it",
                         has_starts ? " and what may be when they started" : "",
                         has_starts ? "last " : ""),
             std::move(candidates));
}

bool TimesGuesser::is_beyond_a_workload(std::size_t start, std::size_t end) const {
  if (at(end).facts.dates > 0 || at(end).words.unit_s) return false;
  const auto took = state_.values_of(difference(state_, start, end, scale_at(end).seconds));
  const auto beyond = std::ranges::count_if(
      took, [](const auto& value) { return value && *value > longest_exact_seconds; });
  return 2 * static_cast<std::size_t>(beyond) > took.size();
}

void TimesGuesser::take_difference() {
  const TimeScale scale = scale_at(*end_);
  const TimeScale other = scale_at(*start_);
  if (scale.seconds != other.seconds) {
    return state_.ask("duration",
                      fmt::format("expected one unit, found {} in {} and {} in {}", other.words,
                                  at(*start_).name, scale.words, at(*end_).name),
                      {});
  }
  state_.use(*start_);
  state_.use(*end_);
  std::vector<double> units = {scale.seconds};
  const auto unit_of_submit = given_unit("submit");
  if (scale.may_be_days) {
    units = {86'400, 1};
  } else if (!scale.is_known || !other.is_known || is_beyond_a_workload(*start_, *end_)) {
    units = possible_units(state_.values_of(difference(state_, *start_, *end_, 1)));
    if (units != std::vector{1.0}) open_units_ = units;
    if (units.size() == 1 && unit_of_submit && *unit_of_submit != units.front()) {
      units = {*unit_of_submit, units.front()};
    }
  }
  if (units.size() > 1) {
    std::vector<std::string> candidates;
    for (const double unit_s : units)
      candidates.push_back(difference(state_, *start_, *end_, unit_s));
    return state_.ask("duration",
                      fmt::format("expected the unit of {} and {}, found none in their names",
                                  at(*start_).name, at(*end_).name),
                      std::move(candidates));
  }
  state_.guess.parameters["duration"] = difference(state_, *start_, *end_, units.front());
  state_.assume(fmt::format(
      "tasks take {} - {}: {}", at(*end_).name, at(*start_).name,
      open_units_.empty() ? scale.words
                          : fmt::format("{}: in a larger unit some would take more than 96 days",
                                        name_of_unit(units.front()))));
}

/// A length of 0 beside an end that never came; else both say the same in all rows.
bool TimesGuesser::hides_rows_that_never_ran(std::size_t column, double unit_s) const {
  const std::string text = difference(state_, *start_, *end_, scale_at(*end_).seconds);
  const auto ran = state_.values_of(text);
  std::size_t never_ran = 0;
  for (std::size_t row = 0; row < ran.size(); ++row) {
    const auto& took = at(column).facts.values[row];
    if (!took) continue;
    const bool has_no_end = never_came(state_.sample().columns[*end_][row], true);
    if (has_no_end && took->value > 0) return false;
    never_ran += has_no_end ? 1 : 0;
    if (!has_no_end && ran[row] && std::abs(took->value * unit_s - *ran[row]) > 1) return false;
  }
  return never_ran > 0;
}

void TimesGuesser::take_duration(std::size_t column) {
  const TimeScale scale = scale_at(column);
  const std::string& name = at(column).name;
  if (start_ && end_) {
    const std::vector<double> fits = units_that_fit(state_, column, *start_, *end_);
    if (fits.empty() && is_never_shorter(state_, column, *start_, *end_) &&
        scale_at(*start_).is_known) {
      state_.assume(
          fmt::format("{} is no less than {} - {} and often more: what was asked for, not "
                      "how long tasks took",
                      name, at(*end_).name, at(*start_).name));
      return take_difference();
    }
    state_.use(column);
    state_.use(*start_);
    state_.use(*end_);
    if (fits.size() != 1) {
      std::vector<std::string> candidates = {
          difference(state_, *start_, *end_, scale_at(*end_).seconds)};
      for (const double unit_s : fits) candidates.push_back(name + factor_of(unit_s));
      if (fits.empty()) candidates.push_back(name + factor_of(scale.seconds));
      return state_.ask(
          "duration",
          fmt::format("expected {} in the one unit in which it is as long as {} - {}, found {}",
                      name, at(*end_).name, at(*start_).name, fits.empty() ? "none" : "several"),
          std::move(candidates));
    }
    if (hides_rows_that_never_ran(column, fits.front())) {
      state_.use(column);
      state_.assume(fmt::format("{} says the same as {} - {}, but not which rows never ran", name,
                                at(*end_).name, at(*start_).name));
      return take_difference();
    }
    if (asks_for_rows_that_never_began(column, fits.front())) return;
    state_.guess.parameters["duration"] = name + factor_of(fits.front());
    return state_.assume(fmt::format("{}: {}, as {} - {} shows", name,
                                     scale.is_known ? scale.words : name_of_unit(fits.front()),
                                     at(*end_).name, at(*start_).name));
  }
  state_.use(column);
  const double submit_s = submit_ ? scale_at(*submit_).seconds : 1;
  std::vector<double> units = {scale.seconds};
  if (!scale.is_known) {
    units = submit_s == 1 ? possible_units(state_.values_of(name)) : std::vector{1.0, submit_s};
  }
  if (units.size() > 1) {
    std::vector<std::string> candidates;
    for (const double unit_s : units) candidates.push_back(name + factor_of(unit_s));
    const std::string why =
        submit_s == 1 ? "most would be longer than 6 hours in seconds"
                      : fmt::format("{} is in {}", at(*submit_).name, name_of_unit(submit_s));
    return state_.ask("duration",
                      fmt::format("expected the unit of {}, found none in its name; {}", name, why),
                      std::move(candidates));
  }
  if (asks_for_rows_that_never_began(column, scale.seconds)) return;
  state_.guess.parameters["duration"] = name + factor_of(scale.seconds);
  state_.assume(fmt::format("{}: {}", name, scale.words));
}

}  // namespace

void guess_times(GuessState& state) { TimesGuesser(state).operator()(); }

}  // namespace somnus
