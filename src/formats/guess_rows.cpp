// Names that come again may be those of jobs with several tasks. They may also be programs that run
// day after day, second attempts, or numbers that each application counts from 0 on. Where that is
// as likely the user is asked: to gather rows that do not belong together makes another workload.
#include "formats/guess_rows.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace somnus {
namespace {

using Columns = std::vector<std::size_t>;

bool any(const ColumnFacts& /*facts*/) { return true; }

class RowsGuesser {
 public:
  explicit RowsGuesser(GuessState& state) : state_(state) {}

  void operator()() {
    if (state_.is_given("job")) {
      const Columns named = state_.columns_in(state_.text_of("job"));
      if (!named.empty()) set_rows(named.front(), true);
      return;
    }
    const Columns named = state_.best(ColumnRole::job, [](const ColumnFacts& facts) {
      return facts.filled == facts.values.size();
    });
    if (named.empty()) {
      return state_.assume("a row is a job: no column names jobs, so they are numbered by row");
    }
    const bool same_kind = std::ranges::all_of(named, [&](std::size_t column) {
      return facts(column).are_unique() == facts(named.front()).are_unique();
    });
    if (!same_kind) return state_.choose("job", "expected one column of jobs' names", named);
    state_.use(named.front());
    state_.guess.parameters["job"] = name(named.front());
    set_rows(named.front(), false);
  }

 private:
  /// The rows of each name.
  struct Names {
    std::unordered_map<std::string_view, Columns> rows;
    std::size_t again = 0;     // names of several rows
    std::string_view example;  // the first of them
  };

  [[nodiscard]] const std::string& name(std::size_t column) const {
    return state_.columns[column].name;
  }
  [[nodiscard]] const ColumnFacts& facts(std::size_t column) const {
    return state_.columns[column].facts;
  }
  [[nodiscard]] const std::vector<std::string>& cells(std::size_t column) const {
    return state_.sample().columns[column];
  }

  void set_rows(std::size_t job, bool is_given);
  bool asks_for_steps(std::size_t job);
  bool asks_for_whole(std::size_t job, const Names& names);
  bool asks_for_sequences(const Names& names);
  [[nodiscard]] std::string doubt(std::size_t job, const Names& names, bool is_given) const;
  [[nodiscard]] Names names_in(std::size_t job) const;

  GuessState& state_;
};

RowsGuesser::Names RowsGuesser::names_in(std::size_t job) const {
  Names names;
  for (std::size_t row = 0; row < cells(job).size(); ++row) {
    Columns& rows = names.rows[cells(job)[row]];
    rows.push_back(row);
    if (rows.size() != 2) continue;
    ++names.again;
    if (names.example.empty()) names.example = cells(job)[row];
  }
  return names;
}

/// 17.batch and 17.0 beside 17, as Slurm names what a job consists of, and 17:0 beside 17, as
/// arrays name theirs.
bool RowsGuesser::asks_for_steps(std::size_t job) {
  const std::unordered_set<std::string_view> all(cells(job).begin(), cells(job).end());
  std::size_t steps = 0;
  std::string_view example;
  for (const std::string_view cell : cells(job)) {
    const auto point = cell.find_last_of(".:");
    if (point == std::string_view::npos || !all.contains(cell.substr(0, point))) continue;
    if (steps++ == 0) example = cell;
  }
  if (steps == 0) return false;
  state_.ask("job",
             fmt::format("expected jobs, found {} parts of jobs that have rows of their own, such "
                         "as '{}': leave out of the file either these or the wholes (sacct -X "
                         "does)",
                         steps, example),
             {}, {fmt::format("--set \"job={}\", which makes each row a job", name(job))});
  return true;
}

/// Numbers that begin anew in each application.
bool RowsGuesser::asks_for_whole(std::size_t job, const Names& names) {
  for (std::size_t whole = 0; whole < state_.columns.size(); ++whole) {
    if (whole == job || facts(whole).filled == 0 || facts(whole).are_unique()) continue;
    if (!state_.has_role(whole, {ColumnRole::job}) || state_.has_role(whole, {ColumnRole::task})) {
      continue;
    }
    const auto has_several = [&](const auto& each) {
      return std::ranges::any_of(each.second, [&](std::size_t row) {
        return cells(whole)[row] != cells(whole)[each.second.front()];
      });
    };
    const auto found = std::ranges::find_if(names.rows, has_several);
    if (found == names.rows.end()) continue;
    state_.use(whole);
    state_.ask("job",
               fmt::format("expected a column of jobs' names, found that '{}' of {} comes with "
                           "several values of {}: alone it names no job",
                           found->first, name(job), name(whole)),
               {name(whole), name(job)}, {});
    return true;
  }
  return false;
}

/// Why rows of one name may be no job; empty: nothing says so.
std::string RowsGuesser::doubt(std::size_t job, const Names& names, bool is_given) const {
  const std::size_t all = names.rows.size();
  const std::size_t example_rows = names.rows.at(names.example).size();
  if (10 * names.again < all) {
    return fmt::format("{} of {} names in {} come again, such as '{}' in {} rows", names.again, all,
                       name(job), names.example, example_rows);
  }
  const auto submits = state_.values_of(state_.text_of("submit"));
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  for (const auto& submit : submits) {
    if (!submit) continue;
    first = std::min(first, *submit);
    last = std::max(last, *submit);
  }
  std::size_t differ = 0;
  double spread = 0;
  for (const auto& [text, rows] : names.rows) {
    double from = std::numeric_limits<double>::infinity();
    double to = -from;
    for (const std::size_t row : rows) {
      if (!submits[row]) continue;
      from = std::min(from, *submits[row]);
      to = std::max(to, *submits[row]);
    }
    if (!(from < to)) continue;
    ++differ;
    spread += (to - from) / static_cast<double>(names.again);
  }
  const auto starts = state_.best(ColumnRole::start, any);
  const Columns submitted = state_.columns_in(state_.text_of("submit"));
  const bool are_starts =
      !submitted.empty() && std::ranges::find(starts, submitted.front()) != starts.end();
  const bool are_far = all > 1 && 2 * spread > last - first;
  if (differ == 0 || ((are_starts || is_given) && !are_far)) return "";
  return fmt::format("{} names come again in {}, such as '{}' in {} rows, at other times", differ,
                     name(job), names.example, example_rows);
}

/// Slices of one task, tasks that wait for each other, or a whole beside its parts.
bool RowsGuesser::asks_for_sequences(const Names& names) {
  const bool has_stages = !state_.best(ColumnRole::stage, any).empty() &&
                          !state_.best(ColumnRole::parents, any).empty();
  const auto meant = number_in(state_.sample(), state_.text_of("duration"));
  const Columns starts = state_.best(ColumnRole::start, any);
  const Columns ends = state_.best(ColumnRole::end, any);
  if (has_stages || !meant || !meant->column) return false;
  const bool is_difference = meant->minus.has_value();
  if (!is_difference && (starts.empty() || ends.empty())) return false;
  const auto& from = facts(is_difference ? *meant->minus : starts.front()).values;
  const auto& to = facts(is_difference ? *meant->column : ends.front()).values;
  std::size_t sequences = 0;
  std::string_view example;
  for (const auto& [text, rows] : names.rows) {
    double first_end = std::numeric_limits<double>::infinity();
    double last_start = -first_end;
    for (const std::size_t row : rows) {
      if (!from[row] || !to[row]) continue;
      first_end = std::min(first_end, to[row]->value);
      last_start = std::max(last_start, from[row]->value);
    }
    if (rows.size() < 2 || last_start < first_end) continue;
    if (sequences++ == 0) example = text;
  }
  if (2 * sequences <= names.again) return false;
  state_.ask("rows",
             fmt::format("expected tasks of a job that may run at once, found that some begin when "
                         "others have ended, in {} of {} jobs, such as '{}': are they tasks, and "
                         "not parts of one task, steps that wait for others (stage and parents), "
                         "or a whole beside its parts?",
                         sequences, names.again, example),
             {"task"}, {"--set \"job=\", which makes each row a job"});
  return true;
}

void RowsGuesser::set_rows(std::size_t job, bool is_given) {
  if (state_.is_given("rows")) return;
  if (!is_given && asks_for_steps(job)) return;
  const bool are_fractions =
      facts(job).numbers == facts(job).filled &&
      std::ranges::all_of(cells(job), [](const std::string& cell) { return cell.ends_with(".0"); });
  if (are_fractions) {
    state_.assume(
        fmt::format("names in {} end in .0, as of whole numbers that some program made "
                    "fractions: they stay so",
                    name(job)));
  }
  if (facts(job).are_unique()) {
    return state_.assume(fmt::format("a row is a job: {} has no name twice", name(job)));
  }
  const Names names = names_in(job);
  if (!is_given && asks_for_whole(job, names)) return;
  const std::string why = doubt(job, names, is_given);
  if (why.empty() && asks_for_sequences(names)) return;
  if (!why.empty()) {
    return state_.ask("rows",
                      fmt::format("expected each name once, or jobs of several rows, found {}: are "
                                  "rows of one name the tasks of a job?",
                                  why),
                      {"task"}, {"--set \"job=\", which makes each row a job"});
  }
  state_.guess.parameters["rows"] = "task";
  state_.assume(fmt::format("a row is a task of the job that {} names: some have {} rows",
                            name(job), facts(job).most_alike));
}

}  // namespace

void guess_rows(GuessState& state) { RowsGuesser(state).operator()(); }

}  // namespace somnus
