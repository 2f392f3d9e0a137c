#include "formats/guess_width.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

namespace somnus {
namespace {

using Columns = std::vector<std::size_t>;

constexpr double widest = 100'000;

bool are_counts(const ColumnFacts& facts) { return facts.are_mostly(facts.counts); }
bool are_all_counts(const ColumnFacts& facts) {
  return facts.filled > 0 && facts.counts == facts.filled && facts.most <= widest;
}

std::optional<std::size_t> only(const GuessState& state, ColumnRole role) {
  const Columns found = state.best(role, are_counts);
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

/// NNodes and NCPUS: the second has all nodes' in it.
bool is_a_total(const GuessColumn& column) {
  constexpr std::array<std::string_view, 7> words = {"ncpus", "nprocs",    "ntasks", "alloc",
                                                     "total", "allocated", "num"};
  return std::ranges::any_of(column.words.words, [&](const std::string& word) {
    return std::ranges::find(words, word) != words.end();
  });
}

void take(GuessState& state, std::string tasks, bool may_differ) {
  state.guess.parameters["tasks"] = tasks;
  if (may_differ && !state.is_given("gangs")) {
    state.assume(fmt::format(
        "{}: as many tasks, each as long as the row, which start one by one as slots come free; "
        "gangs = true starts them together",
        tasks));
  }
}

/// "199/200" in a column that is like a width by its name: how many of them ended, or are running.
bool asks_for_parts_of_counts(GuessState& state) {
  const auto is_of = [](const std::string& cell) {
    const auto slash = cell.find('/');
    return slash != std::string::npos && slash > 0 && slash + 1 < cell.size() &&
           cell.find_first_not_of("0123456789/ ") == std::string::npos &&
           cell.find('/', slash + 1) == std::string::npos;
  };
  for (std::size_t column = 0; column < state.columns.size(); ++column) {
    const GuessColumn& one = state.columns[column];
    const std::vector<std::string>& cells = state.sample().columns[column];
    if (one.is_used || cells.empty() || !is_like_a_width(one.words)) continue;
    if (!std::ranges::all_of(cells, is_of)) continue;
    state.use(column);
    state.ask("tasks",
              fmt::format("expected how many tasks a row has, found '{}' in {}: make a column of "
                          "one of both numbers",
                          cells.front(), one.name),
              {"=1"});
    return true;
  }
  return false;
}

void without_a_name(GuessState& state) {
  const auto nodes = only(state, ColumnRole::nodes);
  const auto each = only(state, ColumnRole::per_node);
  if (nodes && each) {
    state.use(*nodes);
    state.use(*each);
    return take(state, fmt::format("{}*{}", state.columns[*nodes].name, state.columns[*each].name),
                true);
  }
  if (asks_for_parts_of_counts(state)) return;
  Columns likely;
  Columns possible;
  for (std::size_t column = 0; column < state.columns.size(); ++column) {
    const GuessColumn& one = state.columns[column];
    if (one.is_used || !are_all_counts(one.facts) || one.facts.are_unique()) continue;
    (is_like_a_width(one.words) ? likely : possible).push_back(column);
  }
  if (!likely.empty()) {
    std::vector<std::string> candidates = state.names_of_columns(likely);
    for (const std::size_t column : likely) state.use(column);
    candidates.emplace_back("=1");
    return state.ask("tasks",
                     fmt::format("expected a column of how many tasks a row has, found none whose "
                                 "name says so; {} may be one",
                                 fmt::join(state.names_of_columns(likely), " or ")),
                     std::move(candidates));
  }
  std::erase_if(possible, [&](std::size_t column) { return state.is_known(column); });
  state.assume(fmt::format("a row is one task: no column counts tasks or processors by its name{}",
                           possible.empty()
                               ? ""
                               : fmt::format("; whole numbers are in {}",
                                             fmt::join(state.names_of_columns(possible), ", "))));
}

/// "Total Task Time": with it beside them, tasks x duration need not be a row's work.
void ask_for_total(GuessState& state, const std::string& tasks) {
  constexpr std::array<std::string_view, 4> totals = {"total time", "total task time",
                                                      "total run time", "total duration"};
  const auto total = std::ranges::find_if(state.columns, [&](const GuessColumn& column) {
    const std::string name = fmt::format("{}", fmt::join(column.words.words, " "));
    return std::ranges::find(totals, name) != totals.end();
  });
  const std::string duration = state.text_of("duration");
  if (total == state.columns.end() || duration.empty() || state.is_given("duration")) return;
  total->is_used = true;
  state.ask("duration",
            fmt::format("expected how long each task takes, found {} beside {}: a row's work is "
                        "either the total or {} x {}",
                        total->name, duration, tasks, duration),
            {total->name + factor_of(total->words.unit_s.value_or(1)) + "/" + tasks, duration});
}

}  // namespace

void guess_width(GuessState& state) {
  if (state.is_given("tasks")) return;
  const Columns counts = state.best(ColumnRole::tasks, are_counts);
  if (counts.empty()) return without_a_name(state);
  if (!state.are_equal(counts)) {
    return state.choose("tasks", "expected one column of how many tasks a row has", counts);
  }
  const GuessColumn& column = state.columns[counts.front()];
  state.use(counts.front());
  const auto nodes = only(state, ColumnRole::nodes);
  const bool may_be_of_each = nodes && state.columns[*nodes].facts.most > 1 && !is_a_total(column);
  if (may_be_of_each) {
    state.use(*nodes);
    return state.ask("tasks",
                     fmt::format("expected to know whether {} is of all {} of a row or of each",
                                 column.name, state.columns[*nodes].name),
                     {column.name, fmt::format("{}*{}", state.columns[*nodes].name, column.name)});
  }
  if (column.facts.most > 1) ask_for_total(state, column.name);
  take(state, column.name, column.facts.most > 1);
}

}  // namespace somnus
