#include "formats/unused_columns.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "formats/table_rows.hpp"
#include "formats/time_scale.hpp"

namespace somnus {
namespace {

/// "COMPLETED (7), FAILED (2) and 3 others"
std::string commonest(const std::vector<std::string>& cells) {
  constexpr std::size_t most_named = 3;
  std::map<std::string, std::size_t> times;
  for (const std::string& cell : cells) ++times[cell];
  std::vector<std::pair<std::string, std::size_t>> sorted(times.begin(), times.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& one) { return one.second; });
  std::vector<std::string> named;
  for (const auto& [text, count] : sorted) {
    if (named.size() == most_named) break;
    named.push_back(fmt::format("{} ({})", text.empty() ? "none" : text, count));
  }
  const std::size_t others = sorted.size() - named.size();
  return fmt::format("{}{}", fmt::join(named, ", "),
                     others == 0   ? ""
                     : others == 1 ? " and another"
                                   : fmt::format(" and {} others", others));
}

class Remarks {
 public:
  explicit Remarks(GuessState& state) : state_(state) {}

  void operator()() {
    for (std::size_t column = 0; column < state_.columns.size(); ++column) {
      if (!state_.columns[column].is_used) {
        state_.guess.unused.push_back(fmt::format("{}{}", name_of(column), remark(column)));
      }
    }
  }

 private:
  [[nodiscard]] const GuessColumn& at(std::size_t column) const { return state_.columns[column]; }
  [[nodiscard]] const std::vector<std::string>& cells(std::size_t column) const {
    return state_.sample().columns[column];
  }
  [[nodiscard]] std::string name_of(std::size_t column) const {
    const std::string& name = at(column).name;
    return name.empty() ? fmt::format("column {}, which has no name", column + 1) : name;
  }

  [[nodiscard]] std::string remark(std::size_t column) const {
    const auto is = [&](ColumnRole role) { return state_.has_role(column, {role}); };
    if (is(ColumnRole::state)) {
      return ": rows become jobs whatever it says: " + commonest(cells(column));
    }
    // A walltime, of which the difference of other columns shows that it was only asked for.
    const bool is_wall = rank_of(ColumnRole::duration, at(column).words).value_or(1) > 1;
    if (is(ColumnRole::limit) || is_wall) return remark_limit(column);
    if (is(ColumnRole::parents)) {
      return fmt::format(
          ": may be what a task waits for: --set rows=task --set job=JOB --set stage=NUMBER --set "
          "\"parents={}\"",
          at(column).name);
    }
    if (is(ColumnRole::memory)) return remark_memory(column);
    if (is(ColumnRole::cpu) || is(ColumnRole::tasks))
      return remark_demand(column, "processors", "demand.cpu");
    if (is(ColumnRole::gpu)) return remark_demand(column, "GPUs", "demand.gpu");
    if (is(ColumnRole::attempt)) return remark_attempts(column);
    return "";
  }

  [[nodiscard]] std::string remark_limit(std::size_t column) const {
    const GuessColumn& one = at(column);
    for (const std::string& cell : cells(column)) {
      const auto value = parse_cell(cell, state_.style);
      const bool is_none =
          cell.empty() || std::ranges::find(no_limit_words, cell) != std::end(no_limit_words);
      if (is_none || (value && value->form != CellForm::date && value->value > 0)) continue;
      return fmt::format(": may be a limit, but '{}' is not read as one", cell);
    }
    const TimeScale scale = scale_of(one);
    const bool is_open = one.facts.spans == 0 && !one.words.unit_s;
    const bool is_exceeded = is_open && are_mostly_longer_than(column);
    return fmt::format(
        ": may be a limit, after which a job that runs is killed: --set \"limit={}{}\"{}", one.name,
        factor_of(is_exceeded ? 60 : one.words.unit_s.value_or(1)),
        is_exceeded ? ", if it is in minutes: most jobs run for more than so many seconds"
        : is_open   ? fmt::format(" if it is in seconds, \"limit={}*60\" if in minutes", one.name)
                    : "");
  }

  /// The durations, in seconds, than its numbers.
  [[nodiscard]] bool are_mostly_longer_than(std::size_t column) const {
    const auto took = state_.values_of(state_.text_of("duration"));
    std::size_t rows = 0;
    std::size_t longer = 0;
    for (std::size_t row = 0; row < took.size(); ++row) {
      const auto& limit = at(column).facts.values[row];
      if (!limit || !took[row]) continue;
      ++rows;
      longer += *took[row] > limit->value ? 1 : 0;
    }
    return 2 * longer > rows;
  }

  /// The first cell that is no amount, in words; "": there is none.
  [[nodiscard]] std::string no_amount_in(std::size_t column) const {
    for (const std::string& cell : cells(column)) {
      if (!parse_amount(cell, state_.style))
        return cell.empty() ? "an empty cell" : fmt::format("'{}'", cell);
    }
    return "";
  }

  [[nodiscard]] std::string remark_demand(std::size_t column, const char* of,
                                          const char* parameter) const {
    const std::string unread = no_amount_in(column);
    if (!unread.empty()) {
      return fmt::format(": may be what a task demands of {}, but {} is no amount", of, unread);
    }
    return fmt::format(": may be what a task demands of {}: --set \"{}={}\"{}", of, parameter,
                       at(column).name, of_all_tasks(parameter, at(column).name));
  }

  [[nodiscard]] std::string remark_memory(std::size_t column) const {
    const std::string unread = no_amount_in(column);
    const bool may_be_thousandths = std::ranges::any_of(
        cells(column), [](const std::string& cell) { return cell.ends_with('m'); });
    if (!unread.empty() || may_be_thousandths) {
      return fmt::format(": may be what a task demands of memory, but {} is no amount of it",
                         unread.empty() ? "'m'" : unread);
    }
    const bool are_bytes = std::ranges::any_of(cells(column), [&](const std::string& cell) {
      return !parse_cell(cell, state_.style) ||
             parse_cell(cell, state_.style)->form != CellForm::number;
    });
    const auto unit_gb = are_bytes ? std::optional(1e-9) : memory_unit_gb(at(column).words);
    const std::string& name = at(column).name;
    const std::string in_gb = name + factor_of(unit_gb.value_or(1));
    return fmt::format(": may be what a task demands of memory{}: --set \"demand.mem_gb={}\"{}{}",
                       unit_gb ? "" : ", in a unit that its name does not say", in_gb,
                       unit_gb ? "" : fmt::format(" if in GB, \"{}/1000\" if in MB", name),
                       of_all_tasks("demand.mem_gb", in_gb));
  }

  /// How to share what a row says among its tasks.
  [[nodiscard]] std::string of_all_tasks(const char* parameter, const std::string& amount) const {
    const std::string tasks = state_.text_of("tasks");
    const auto named = state_.columns_in(tasks);
    const bool is_one_column = named.size() == 1 && at(named.front()).name == tasks;
    if (!is_one_column || at(named.front()).facts.most <= 1) return "";
    return fmt::format("; if that is of all tasks of a row, \"{}={}/{}\"", parameter, amount,
                       tasks);
  }

  [[nodiscard]] std::string remark_attempts(std::size_t column) const {
    // 0 or 1 is the first, whichever most rows have: a row that never ran may have 0 beside 1.
    const ColumnFacts& facts = at(column).facts;
    const auto count = [&](auto&& holds) {
      return std::ranges::count_if(facts.values,
                                   [&](const auto& value) { return value && holds(value->value); });
    };
    const auto is = [](double number) { return [=](double value) { return value == number; }; };
    const double first = count(is(1)) > count(is(0)) ? 1 : facts.least;
    const auto further = count([&](double value) { return value > first; });
    if (further == 0) return "";
    return fmt::format(": rows of further attempts ({} of {}) are taken, too", further,
                       facts.values.size());
  }

  GuessState& state_;
};

}  // namespace

void remark_unused(GuessState& state) { Remarks(state).operator()(); }

}  // namespace somnus
