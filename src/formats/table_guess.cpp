#include "formats/table_guess.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "formats/column_facts.hpp"
#include "formats/column_words.hpp"
#include "formats/csv_options.hpp"
#include "formats/guess_times.hpp"

namespace somnus {
namespace {

class Guesser {
 public:
  Guesser(const TableSample& sample, const Parameters& given)
      : sample_(sample), given_(given), times_(sample, columns_, guess_) {}

  TableGuess operator()() && {
    guess_style();
    for (std::size_t column = 0; column < sample_.names.size(); ++column) {
      columns_.push_back({.name = sample_.names[column],
                          .words = words_of_column(sample_.names[column]),
                          .facts = facts_of(sample_.columns[column], style_)});
    }
    guess_rows();
    times_.guess(given_);
    guess_tasks();
    guess_texts();
    guess_stages();
    keep_given();
    remark_unused();
    if (!sample_.is_whole) {
      guess_.assumed.push_back(fmt::format("all this by the first {} rows", sample_.rows()));
    }
    return std::move(guess_);
  }

 private:
  [[nodiscard]] bool is_given(const char* parameter) const { return given_.contains(parameter); }
  void assume(std::string sentence) { guess_.assumed.push_back(std::move(sentence)); }

  void guess_style() {
    const StyleFacts found = style_of(sample_.columns, sample_.separator);
    style_ = found.style;
    if (const Value* const decimal = value_of_given("decimal")) {
      style_.decimal = decimal->text() != nullptr && *decimal->text() == "comma"
                           ? DecimalMark::comma
                           : DecimalMark::point;
    } else if (found.is_decimal_open) {
      guess_.choices.push_back(
          {"decimal",
           fmt::format("expected to know what the comma of '{}' is: before a fraction, or between "
                       "thousands, which are not read",
                       found.comma_example),
           {"comma", "point"}});
    } else if (!found.comma_example.empty()) {
      guess_.parameters["decimal"] = "comma";
      assume(fmt::format("commas are decimal points, as in {}", found.comma_example));
    }
    if (const Value* const dates = value_of_given("dates")) {
      const std::string* const order = dates->text();
      style_.dates = order == nullptr          ? DateOrder::unknown
                     : *order == "day-first"   ? DateOrder::day_first
                     : *order == "month-first" ? DateOrder::month_first
                                               : DateOrder::unknown;
    } else if (found.is_order_open) {
      guess_.choices.push_back(
          {"dates",
           fmt::format("expected to know which number of '{}' is the day: none "
                       "of the file is above 12, or both are",
                       found.date_example),
           {"day-first", "month-first"}});
    } else if (!found.date_example.empty()) {
      const bool day_first = style_.dates == DateOrder::day_first;
      guess_.parameters["dates"] = day_first ? "day-first" : "month-first";
      assume(fmt::format("dates have the {} first, as in {}: other rows have days above 12 there",
                         day_first ? "day" : "month", found.date_example));
    }
    if (!sample_.has_header && !is_given("header")) {
      guess_.parameters["header"] = false;
      assume("the first row is data: its cells are numbers; columns are 1, 2, ...");
    }
  }

  [[nodiscard]] const Value* value_of_given(const char* parameter) const {
    const auto found = given_.find(parameter);
    return found == given_.end() ? nullptr : &found->second;
  }

  /// Those with the best rank that hold(facts), by column.
  template <class Holds>
  [[nodiscard]] std::vector<std::size_t> best(ColumnRole role, const Holds& holds) const {
    return times_.best(role, holds);
  }

  void guess_rows() {
    if (is_given("job")) {
      const std::string* const name = value_of_given("job")->text();
      const auto column =
          std::ranges::find(columns_, name == nullptr ? "" : *name, &GuessColumn::name);
      if (column != columns_.end()) set_rows(*column);
      return;
    }
    const auto named = best(ColumnRole::job, [](const ColumnFacts& facts) {
      return facts.filled == facts.values.size();
    });
    if (named.empty()) {
      assume("a row is a job: no column names jobs, so they are numbered by row");
      return;
    }
    const bool same_kind = std::ranges::all_of(named, [&](std::size_t column) {
      return columns_[column].facts.are_unique() == columns_[named.front()].facts.are_unique();
    });
    if (!same_kind) return times_.choose("job", "expected one column of jobs' names", named);
    columns_[named.front()].is_used = true;
    guess_.parameters["job"] = columns_[named.front()].name;
    set_rows(columns_[named.front()]);
  }

  void set_rows(const GuessColumn& job) {
    if (is_given("rows")) return;
    if (job.facts.are_unique()) {
      assume(fmt::format("a row is a job: {} has no name twice", job.name));
    } else {
      guess_.parameters["rows"] = "task";
      assume(fmt::format("a row is a task of the job that {} names: some have {} rows", job.name,
                         job.facts.most_alike));
    }
  }

  void guess_tasks() {
    if (is_given("tasks")) return;
    const auto counts = best(
        ColumnRole::tasks, [](const ColumnFacts& facts) { return facts.are_mostly(facts.counts); });
    if (counts.empty()) return assume("a row is one task: no column counts tasks or processors");
    if (!times_.are_equal(counts)) {
      return times_.choose("tasks", "expected one column of how many tasks a row has", counts);
    }
    GuessColumn& column = columns_[counts.front()];
    column.is_used = true;
    guess_.parameters["tasks"] = column.name;
    const bool may_differ = column.facts.most > 1;
    if (may_differ && !is_given("gangs")) {
      assume(
          fmt::format("{}: as many tasks, which start one by one as slots come free; gangs = true "
                      "starts them together",
                      column.name));
    }
  }

  void guess_texts() {
    constexpr std::pair<const char*, ColumnRole> texts[] = {{"user", ColumnRole::user},
                                                            {"queue", ColumnRole::queue},
                                                            {"account", ColumnRole::account},
                                                            {"qos", ColumnRole::qos},
                                                            {"app", ColumnRole::app}};
    std::vector<std::string> missing;
    for (const auto& [parameter, role] : texts) {
      if (is_given(parameter)) continue;
      const auto named = best(role, [](const ColumnFacts& facts) { return facts.filled > 0; });
      if (named.empty()) {
        missing.emplace_back(parameter);
      } else if (!times_.are_equal(named)) {
        times_.choose(parameter, fmt::format("expected one column of it"), named);
      } else {
        columns_[named.front()].is_used = true;
        guess_.parameters[parameter] = columns_[named.front()].name;
      }
    }
    if (!missing.empty()) {
      assume(fmt::format("no column says: {}; each has its default", fmt::join(missing, ", ")));
    }
  }

  /// Only both together say in which order a job's tasks go.
  void guess_stages() {
    const auto rows = guess_.parameters.find("rows");
    const bool are_tasks = rows != guess_.parameters.end();
    if (!are_tasks || is_given("stage") || is_given("parents")) return;
    const auto stages = best(ColumnRole::stage, [](const ColumnFacts& facts) {
      return facts.numbers == facts.values.size() && facts.least >= 0;
    });
    const auto parents = best(ColumnRole::parents, [](const ColumnFacts&) { return true; });
    if (stages.size() == 1 && parents.size() == 1) {
      for (const auto& [parameter, column] :
           {std::pair("stage", stages[0]), std::pair("parents", parents[0])}) {
        columns_[column].is_used = true;
        guess_.parameters[parameter] = columns_[column].name;
      }
      return;
    }
    assume("the tasks of a job wait for nothing: no columns of stages and of their parents");
  }

  void keep_given() {
    for (const auto& [parameter, value] : given_) guess_.parameters[parameter] = value;
    Parameters in_order;
    for (const std::string& name : names_of<CsvOptions>()) {
      const auto found = guess_.parameters.find(name);
      if (found != guess_.parameters.end()) in_order[name] = found->second;
    }
    guess_.parameters = std::move(in_order);
    // What a user meant is not said to be unused.
    const auto mark = [&](const Value& value) {
      const std::string* const text = value.text();
      if (text == nullptr) return;
      for (GuessColumn& column : columns_) {
        if (text->find(column.name) != std::string::npos) column.is_used = true;
      }
    };
    for (const auto& [parameter, value] : given_) {
      mark(value);
      if (value.table() == nullptr) continue;
      for (const auto& [kind, each] : *value.table()) mark(each);
    }
  }

  void remark_unused() {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const GuessColumn& one = columns_[column];
      if (one.is_used) continue;
      const auto is = [&](ColumnRole role) { return rank_of(role, one.words).has_value(); };
      const auto may_be = [&](const char* what, const char* parameter) {
        const bool is_minutes = one.words.unit_s == 60;
        guess_.unused.push_back(fmt::format("{}: {}: --set \"{}={}{}\"", one.name, what, parameter,
                                            one.name, is_minutes ? "*60" : ""));
      };
      if (is(ColumnRole::state)) {
        guess_.unused.push_back(fmt::format("{}: rows become jobs whatever it says: {}", one.name,
                                            commonest(sample_.columns[column])));
      } else if (is(ColumnRole::limit)) {
        may_be("may be a limit, after which a job that runs is killed", "limit");
      } else if (is(ColumnRole::parents)) {
        guess_.unused.push_back(fmt::format(
            "{}: may be what a task waits for: --set rows=task --set job=JOB --set stage=NUMBER "
            "--set \"parents={}\"",
            one.name, one.name));
      } else if (is(ColumnRole::memory)) {
        may_be("may be what a task demands of memory", "demand.mem_gb");
      } else if (is(ColumnRole::cpu)) {
        may_be("may be what a task demands of processors", "demand.cpu");
      } else {
        guess_.unused.push_back(one.name);
      }
    }
  }

  /// "COMPLETED (7), FAILED (2) and 3 others"
  static std::string commonest(const std::vector<std::string>& cells) {
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
                       others > 0 ? fmt::format(" and {} others", others) : "");
  }

  const TableSample& sample_;
  const Parameters& given_;
  CellStyle style_;
  std::vector<GuessColumn> columns_;
  TableGuess guess_;
  TimesGuesser times_;
};

}  // namespace

TableGuess guess_table(const TableSample& sample, const Parameters& given) {
  return Guesser(sample, given).operator()();
}

}  // namespace somnus
