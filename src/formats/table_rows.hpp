// A table's rows as its users mean them: each parameter's column is found once, and then each row's
// cells are read and checked.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "model/workload.hpp"
#include "text/csv_columns.hpp"
#include "text/csv_records.hpp"
#include "text/date_time.hpp"
#include "text/mistake_collector.hpp"

namespace somnus {

enum class CsvSeparator { detected, comma, semicolon, tab, bar };
template <>
struct EnumNames<CsvSeparator> {
  static constexpr std::pair<CsvSeparator, const char*> names[] = {{CsvSeparator::detected, "auto"},
                                                                   {CsvSeparator::comma, ","},
                                                                   {CsvSeparator::semicolon, ";"},
                                                                   {CsvSeparator::tab, "tab"},
                                                                   {CsvSeparator::bar, "|"}};
};

enum class CsvRows { job, task };
template <>
struct EnumNames<CsvRows> {
  static constexpr std::pair<CsvRows, const char*> names[] = {{CsvRows::job, "job"},
                                                              {CsvRows::task, "task"}};
};

struct CsvOptions {
  CsvRows rows = CsvRows::job;
  std::string submit;
  std::string duration;
  std::string tasks;
  std::string job;
  std::string user;
  std::string queue;
  std::string account;
  std::string qos;
  std::string nice;
  std::string app;
  std::string weight;
  std::string estimate;
  std::string limit;
  std::string stage;
  std::string parents;
  std::map<std::string, std::string> demand;
  CsvSeparator delimiter = CsvSeparator::detected;
  bool header = true;
  bool rigid = false;
  bool gangs = false;
  bool skip_broken = false;

  static constexpr auto fields() {
    using O = CsvOptions;
    return in_order(
        field("rows", &O::rows, "", "what a row is; those of tasks have their job's name in `job`"),
        field("submit", &O::submit, "s", "column of when the job comes, a number or a date"),
        field("duration", &O::duration, "s", "column of how long each of the row's tasks takes"),
        field("tasks", &O::tasks, "1", "column of how many tasks the row has; none: one"),
        field("job", &O::job, "", "column of the job's name; none: 0, 1, ... by row"),
        field("user", &O::user, "", "column"), field("queue", &O::queue, "", "column"),
        field("account", &O::account, "", "column of the account it is counted for"),
        field("qos", &O::qos, "", "column of its quality of service"),
        field("nice", &O::nice, "1", "column of what its priority is lessened by"),
        field("app", &O::app, "", "column"), field("weight", &O::weight, "1", "column"),
        field("estimate", &O::estimate, "slot-s", "column of the slot-time that a profile says"),
        field("limit", &O::limit, "s", "column of the time after which a job that runs is killed"),
        field("stage", &O::stage, "", "column of the stage's number; only of rows of tasks"),
        field("parents", &O::parents, "",
              "column of the numbers of the stages before it, with blanks between"),
        field("demand", &O::demand, "", "column of what a task demands, by kind: demand.cpu"),
        field("delimiter", &O::delimiter, "", "between cells; auto: detected from the first line"),
        field("header", &O::header, "",
              "true: the first row names the columns; false: they are 1, 2, ..."),
        field("rigid", &O::rigid, "",
              "true: where they ran, jobs held all their CPUs at once, as in a batch system"),
        field("gangs", &O::gangs, "",
              "true: the tasks of a stage start together, and hold their slots until all have "
              "ended"),
        field("skip_broken", &O::skip_broken, "",
              "true: jobs with a row that can't be used are left out; false: each is a mistake"));
  }
};

/// A parameter, and what of the file it means; nothing if it was not given.
struct CsvNumberColumn {
  const char* parameter;
  std::optional<CsvNumber> meant = {};
};
struct CsvTextColumn {
  const char* parameter;
  std::optional<CsvText> meant = {};
};

struct CsvMapping {
  CsvNumberColumn submit{"submit"};
  CsvNumberColumn duration{"duration"};
  CsvNumberColumn tasks{"tasks"};
  CsvTextColumn job{"job"};
  CsvTextColumn user{"user"};
  CsvTextColumn queue{"queue"};
  CsvTextColumn account{"account"};
  CsvTextColumn qos{"qos"};
  CsvNumberColumn nice{"nice"};
  CsvTextColumn app{"app"};
  CsvNumberColumn weight{"weight"};
  CsvNumberColumn estimate{"estimate"};
  CsvNumberColumn limit{"limit"};
  CsvNumberColumn stage{"stage"};
  CsvTextColumn parents{"parents"};
  std::vector<CsvNumberColumn> demands;  // by kind
};

/// Numbers and texts of one row; where it is broken, some are defaults.
struct CsvRow {
  int line = 0;
  int column = 0;  // of the submit
  JobSpec job;     // without stages
  std::uint32_t stage = 0;
  std::vector<std::uint32_t> parents;
  std::vector<double> demand;  // by kind
  std::uint64_t tasks = 1;
  double duration_s = 0;
  bool is_broken = false;
};

class CsvRowReader {
 public:
  /// Both must outlive it.
  CsvRowReader(const CsvOptions& options, MistakeCollector& report)
      : options_(options), mistakes_(report) {}

  /// Finds the columns, by the file's first record. False if something is wrong with them.
  [[nodiscard]] bool begin(const CsvRecord& first);
  [[nodiscard]] bool has_begun() const { return first_line_ > 0; }

  /// Nothing if the row is of no job that could be left out.
  [[nodiscard]] std::optional<CsvRow> read(const CsvRecord& record);

  enum class Skip { as_configured, refused };
  /// Reports something wrong with a cell of the row read last, under its column's name, unless such
  /// rows are left out. What is wrong with a constant is so in every row.
  template <class Column>
  void wrong(const Column& column, std::string what, Skip skip = Skip::as_configured,
             std::string hint = "") {
    wrong_at(column.meant ? column.meant->column : std::nullopt, column.parameter, std::move(what),
             skip, std::move(hint));
  }

  [[nodiscard]] const CsvMapping& mapping() const { return mapping_; }
  [[nodiscard]] const std::vector<std::string>& kinds() const { return kinds_; }

 private:
  void resolve(CsvNumberColumn& column, const std::string& text);
  void resolve(CsvTextColumn& column, const std::string& text);
  void require(const std::string& text, const char* parameter);
  void refuse_mapping(const char* parameter, std::string what, std::string hint);

  void wrong_at(std::optional<std::size_t> column, const char* parameter, std::string what,
                Skip skip, std::string hint);
  void read_numbers(CsvRow& row);
  void read_parents(CsvRow& row);
  [[nodiscard]] std::string_view cell(const CsvText& meant) const;
  [[nodiscard]] std::string text(const CsvTextColumn& column, std::string_view fallback) const;
  [[nodiscard]] bool has(const CsvNumberColumn& column) const;
  std::optional<double> cell_number(std::size_t cell, const CsvNumberColumn& of);
  double number(const CsvNumberColumn& of, const Range& range, std::string_view unit,
                std::string hint = "");
  std::uint64_t whole(const CsvNumberColumn& of, std::uint64_t low, std::uint64_t high,
                      std::uint64_t fallback);

  const CsvOptions& options_;
  MistakeCollector& mistakes_;
  CsvColumns columns_{0};
  CsvMapping mapping_;
  std::vector<std::string> kinds_;
  std::vector<std::string> demand_names_;  // "demand.cpu"
  const CsvRecord* record_ = nullptr;      // the row that is being read
  std::size_t rows_ = 0;
  bool is_broken_ = false;  // that row
  DatesOfAFile dates_;
  int first_line_ = 0;  // 0: none was read
};

}  // namespace somnus
