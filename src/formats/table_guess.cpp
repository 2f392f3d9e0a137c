#include "formats/table_guess.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "formats/csv_options.hpp"
#include "formats/guess_rows.hpp"
#include "formats/guess_state.hpp"
#include "formats/guess_times.hpp"
#include "formats/guess_width.hpp"
#include "formats/unused_columns.hpp"

namespace somnus {
namespace {

/// "comma", as given; nothing if it was not.
std::optional<std::string> given_word(const GuessState& state, const char* parameter) {
  if (!state.is_given(parameter)) return std::nullopt;
  const std::string* const word = state.given().at(parameter).text();
  return word == nullptr ? std::string() : *word;
}

void guess_decimal(GuessState& state, const StyleFacts& found) {
  if (const auto decimal = given_word(state, "decimal")) {
    state.style.decimal = *decimal == "comma" ? DecimalMark::comma : DecimalMark::point;
  } else if (found.is_decimal_open) {
    state.ask("decimal",
              fmt::format("expected to know what the comma of '{}' is: before a fraction, or "
                          "between thousands, which are read only beside a fraction",
                          found.comma_example),
              {"comma", "point"});
  } else if (!found.comma_example.empty()) {
    state.guess.parameters["decimal"] = "comma";
    state.assume(fmt::format("commas are decimal points, as in {}", found.comma_example));
  }
}

void guess_order_of_dates(GuessState& state, const StyleFacts& found) {
  if (const auto order = given_word(state, "dates")) {
    state.style.dates = *order == "day-first"     ? DateOrder::day_first
                        : *order == "month-first" ? DateOrder::month_first
                                                  : DateOrder::unknown;
  } else if (found.is_order_open) {
    state.ask("dates",
              fmt::format("expected to know which number of '{}' is the day: none of the file is "
                          "above 12, or both are",
                          found.date_example),
              {"day-first", "month-first"});
  } else if (!found.date_example.empty()) {
    const bool day_first = state.style.dates == DateOrder::day_first;
    state.guess.parameters["dates"] = day_first ? "day-first" : "month-first";
    state.assume(
        fmt::format("dates have the {} first, as in {}: other rows have days above 12 "
                    "there",
                    day_first ? "day" : "month", found.date_example));
  }
}

/// Of the columns of lengths of time, those with cells as 12:30: their names may say what it is.
void guess_clock(GuessState& state) {
  if (const auto clock = given_word(state, "clock")) {
    state.style.clock = *clock == "hours"     ? ShortClock::hours
                        : *clock == "minutes" ? ShortClock::minutes
                                              : ShortClock::unknown;
    return;
  }
  const TableSample& sample = state.sample();
  for (std::size_t column = 0; column < sample.names.size(); ++column) {
    const std::string& name = sample.names[column];
    const ColumnWords words = words_of_column(name);
    const auto is_short = [](const std::string& cell) {
      return parse_short_clock(cell, ShortClock::hours).has_value();
    };
    const auto found = std::ranges::find_if(sample.columns[column], is_short);
    if (!rank_of(ColumnRole::duration, words) || found == sample.columns[column].end()) continue;
    const auto has = [&](const char* word) {
      return std::ranges::find(words.words, word) != words.words.end();
    };
    if (has("mm") && has("hh") != has("ss")) {
      state.style.clock = has("hh") ? ShortClock::hours : ShortClock::minutes;
      state.guess.parameters["clock"] = has("hh") ? "hours" : "minutes";
      return state.assume(fmt::format("{} of {} is {}, by its name", *found, name,
                                      has("hh") ? "hours and minutes" : "minutes and seconds"));
    }
    state.style.clock = ShortClock::hours;  // else each cell is unreadable, and that is asked first
    return state.ask("clock",
                     fmt::format("expected to know what '{}' in {} is: hours and minutes, or "
                                 "minutes and seconds",
                                 *found, name),
                     {"hours", "minutes"});
  }
}

void guess_style(GuessState& state) {
  const StyleFacts found = style_of(state.sample().columns, state.sample().separator);
  state.style = found.style;
  guess_decimal(state, found);
  guess_order_of_dates(state, found);
  guess_clock(state);
  if (!state.sample().has_header && !state.is_given("header")) {
    state.guess.parameters["header"] = false;
    state.assume("the first row is data: its cells are numbers; columns are 1, 2, ...");
  }
}

void guess_texts(GuessState& state) {
  constexpr std::pair<const char*, ColumnRole> texts[] = {{"user", ColumnRole::user},
                                                          {"queue", ColumnRole::queue},
                                                          {"account", ColumnRole::account},
                                                          {"qos", ColumnRole::qos},
                                                          {"app", ColumnRole::app}};
  std::vector<std::string> missing;
  for (const auto& [parameter, role] : texts) {
    if (state.is_given(parameter)) continue;
    // Who has many jobs has another name than each of them.
    constexpr std::size_t few_rows = 20;
    const auto named = state.best(role, [&](const ColumnFacts& facts) {
      const bool are_names_of_rows = facts.are_unique() && facts.values.size() > few_rows;
      return facts.filled > 0 && !(role == ColumnRole::user && are_names_of_rows);
    });
    if (named.empty()) {
      missing.emplace_back(parameter);
    } else if (!state.are_equal(named)) {
      state.choose(parameter, "expected one column of it", named);
    } else {
      state.use(named.front());
      state.guess.parameters[parameter] = state.columns[named.front()].name;
    }
  }
  if (missing.empty()) return;
  state.assume(fmt::format("no column says: {}; each has its default", fmt::join(missing, ", ")));
}

/// Only both together say in which order a job's tasks go.
void guess_stages(GuessState& state) {
  const bool are_tasks = state.text_of("rows") == "task";
  if (!are_tasks || state.is_given("stage") || state.is_given("parents")) return;
  const auto stages = state.best(ColumnRole::stage, [](const ColumnFacts& facts) {
    return facts.numbers == facts.values.size() && facts.least >= 0;
  });
  const auto parents = state.best(ColumnRole::parents, [](const ColumnFacts&) { return true; });
  if (stages.size() != 1 || parents.size() != 1) {
    return state.assume(
        "the tasks of a job wait for nothing: no columns of stages and of their parents");
  }
  for (const auto& [parameter, column] :
       {std::pair("stage", stages[0]), std::pair("parents", parents[0])}) {
    state.use(column);
    state.guess.parameters[parameter] = state.columns[column].name;
  }
}

void keep_given(GuessState& state) {
  for (const auto& [parameter, value] : state.given()) state.guess.parameters[parameter] = value;
  Parameters in_order;
  for (const std::string& name : names_of<CsvOptions>()) {
    const auto found = state.guess.parameters.find(name);
    if (found != state.guess.parameters.end()) in_order[name] = found->second;
  }
  state.guess.parameters = std::move(in_order);
  // What a user meant is not said to be unused.
  const auto use = [&](const Table& texts) {
    for (const auto& [parameter, value] : texts) {
      if (value.text() == nullptr) continue;
      for (const std::size_t column : state.columns_in(*value.text())) state.use(column);
    }
  };
  const Table texts = numbers_as_texts(state.given());
  use(texts);
  const auto demand = texts.find("demand");
  if (demand != texts.end() && demand->second.table() != nullptr) use(*demand->second.table());
}

}  // namespace

TableGuess guess_table(const TableSample& sample, const Parameters& given) {
  GuessState state(sample, given);
  guess_style(state);
  for (std::size_t column = 0; column < sample.names.size(); ++column) {
    state.columns.push_back({.name = sample.names[column],
                             .words = words_of_column(sample.names[column]),
                             .facts = facts_of(sample.columns[column], state.style)});
  }
  guess_times(state);
  guess_rows(state);
  guess_width(state);
  guess_texts(state);
  guess_stages(state);
  keep_given(state);
  remark_unused(state);
  if (!sample.is_whole) state.assume(fmt::format("all this by the first {} rows", sample.rows()));
  return std::move(state.guess);
}

}  // namespace somnus
