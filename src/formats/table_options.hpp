// What a user says of a table's columns: the parameters of csv and parquet.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/describe.hpp"
#include "base/value.hpp"
#include "text/cell_number.hpp"

namespace somnus {

enum class TableRows { job, task };
template <>
struct EnumNames<TableRows> {
  static constexpr std::pair<TableRows, const char*> names[] = {{TableRows::job, "job"},
                                                                {TableRows::task, "task"}};
};

template <>
struct EnumNames<DecimalMark> {
  static constexpr std::pair<DecimalMark, const char*> names[] = {{DecimalMark::point, "point"},
                                                                  {DecimalMark::comma, "comma"}};
};

template <>
struct EnumNames<DateOrder> {
  static constexpr std::pair<DateOrder, const char*> names[] = {
      {DateOrder::unknown, "unknown"},
      {DateOrder::day_first, "day-first"},
      {DateOrder::month_first, "month-first"}};
};

template <>
struct EnumNames<ShortClock> {
  static constexpr std::pair<ShortClock, const char*> names[] = {{ShortClock::unknown, "unknown"},
                                                                 {ShortClock::hours, "hours"},
                                                                 {ShortClock::minutes, "minutes"}};
};

struct TableOptions {
  TableRows rows = TableRows::job;
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
  DecimalMark decimal = DecimalMark::point;
  DateOrder dates = DateOrder::unknown;
  ShortClock clock = ShortClock::unknown;
  bool rigid = false;
  bool gangs = false;
  bool skip_unfinished = false;
  bool skip_broken = false;

  [[nodiscard]] CellStyle style() const {
    return {.decimal = decimal, .dates = dates, .clock = clock};
  }

  static constexpr auto fields() {
    using O = TableOptions;
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
        field("decimal", &O::decimal, "", "what stands before the fraction of a number"),
        field("dates", &O::dates, "",
              "which number of 01/05/2024 is the day; 2024-05-01 and 01.05.2024 need no order"),
        field("clock", &O::clock, "",
              "what 12:30 is as a length of time: hours and minutes, or minutes and seconds"),
        field("rigid", &O::rigid, "",
              "true: where they ran, jobs held all their CPUs at once, as in a batch system"),
        field("gangs", &O::gangs, "",
              "true: the tasks of a stage start together, and hold their slots until all have "
              "ended"),
        field("skip_unfinished", &O::skip_unfinished, "",
              "true: rows that never ran or had not ended are left out: where the duration, the "
              "start "
              "or the end is empty, -1, Unknown, None, NaT, null or the like, or the end is 0"),
        field("skip_broken", &O::skip_broken, "",
              "true: jobs with a row that can't be used are left out; false: each is a mistake"));
  }
};

/// Columns may be numbers, and constants are, which TOML keeps apart from texts.
[[nodiscard]] Table numbers_as_texts(const Table& given);

}  // namespace somnus
