#include "log/possible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/lateness.hpp"
#include "model/event.hpp"
#include "model/limits.hpp"

namespace somnus {
namespace {

bool is_time(double seconds) { return std::isnan(seconds) || std::abs(seconds) <= last_seconds; }
/// What a job or stage takes in all, which formulas use, and no clock.
bool is_slot_time(double seconds) {
  return std::isnan(seconds) || std::abs(seconds) <= most_slot_time_s;
}

/// When a job would end elsewhere: perhaps long after the run was cut.
bool is_reference(double seconds) {
  return std::isnan(seconds) ||
         std::abs(seconds) <= static_cast<double>(most_tasks) * most_slot_time_s;
}

bool is_span_of_task(double seconds) { return std::isnan(seconds) || is_workload_time(seconds); }
bool is_slowdown(double times) { return times > 0 && times <= most_slowdown_of_node; }
bool is_any(double) { return true; }

/// Whether a column can have a value.
using Possible = bool (*)(double value);
Possible possible_in(std::string_view column, std::string_view unit) {
  if (column == "think" || column == "nominal") return is_span_of_task;
  if (column == "weight") return is_weight;
  if (column == "warmup") return is_warmup;
  if (column == "slowdown") return is_slowdown;
  if (column == "slot_time" || column == "estimate" || column == "critical_path")
    return is_slot_time;
  if (column.ends_with("_finish") || column == "alone") return is_reference;
  return unit == "s" ? is_time : is_any;
}

template <class Row>
std::string error_of(const char* table, const std::vector<Row>& rows) {
  struct Numbers {
    const char* name;
    double Row::* column;
    Possible possible;
  };
  std::vector<Numbers> columns;
  for_each_field<Row>([&](const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<typename Field::member_type, double>) {
      columns.push_back({field.name, field.member, possible_in(field.name, field.unit)});
    }
  });
  for (std::size_t at = 0; at < rows.size(); ++at) {
    for (const Numbers& one : columns) {
      const double value = rows[at].*one.column;
      if (one.possible(value)) continue;
      return fmt::format("{} row {}: {} {}, which no run has", table, at, one.name, value);
    }
  }
  return {};
}

/// Times that are NaN did not happen; these always do.
std::string error_of_thinking(const std::vector<JobRow>& jobs) {
  for (std::size_t at = 0; at < jobs.size(); ++at) {
    if (std::isnan(jobs[at].think)) return fmt::format("/jobs row {}: think nan s", at);
  }
  return {};
}

/// What all tasks of a job take, as far as its attempts show.
double work_of(const Log& log, std::uint32_t job) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> longest;  // by task
  for (const TaskRow& row : log.tasks) {
    if (row.job != job || std::isnan(row.nominal)) continue;
    double& one = longest[{row.stage, row.index}];
    one = std::max(one, row.nominal);
  }
  double work = 0;
  for (const auto& [task, nominal] : longest) work += nominal;
  return work;
}

std::string error_of_work(const Log& log) {
  std::uint64_t tasks = 0;
  for (std::size_t at = 0; at < log.tables.stages.size(); ++at) {
    tasks += log.tables.stages[at].tasks;
    if (log.tables.stages[at].tasks == 0) return fmt::format("/stages row {}: no task", at);
    if (tasks > most_tasks)
      return fmt::format("/stages row {}: more than {} tasks", at, most_tasks);
  }
  std::vector<double> work(log.tables.jobs.size());  // of all attempts
  for (const TaskRow& row : log.tasks) {
    if (row.job < work.size() && !std::isnan(row.nominal)) work[row.job] += row.nominal;
  }
  for (std::uint32_t job = 0; job < work.size(); ++job) {
    if (work[job] <= most_slot_time_s || work_of(log, job) <= most_slot_time_s) continue;
    return fmt::format("/jobs row {}: its tasks take more than {} s in all", job, most_slot_time_s);
  }
  return {};
}

std::string error_of_lateness(const Log& log) {
  const std::vector<LatenessRow>& rows = log.tables.lateness;
  for (std::size_t at = 0; at < rows.size();) {
    const std::size_t begin = at;
    std::vector<LatenessCount> looks;
    for (; at < rows.size() && rows[at].rank == rows[begin].rank; ++at) {
      looks.push_back({.up_to_s = rows[at].up_to, .looks = rows[at].looks});
    }
    std::string error = error_in(looks);
    if (rows[begin].rank >= log.header.ranks) error = "there is no such rank";
    if (begin > 0 && rows[begin].rank < rows[begin - 1].rank) error = "ranks go back";
    if (!error.empty()) return fmt::format("/lateness row {}: {}", begin, error);
  }
  return {};
}

std::string error_of_instants(const std::vector<InstantRow>& rows) {
  constexpr std::uint64_t most_ns = std::uint64_t{1} << 62;  // a real clock may be beyond its end
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const bool follows = at == 0 || (rows[at - 1].round < rows[at].round &&
                                     rows[at - 1].time_ns <= rows[at].time_ns);
    if (follows && rows[at].time_ns <= most_ns) continue;
    return fmt::format("/instants row {}: round {} at {} ns{}", at, rows[at].round,
                       rows[at].time_ns, follows ? ", which no run has" : " is out of order");
  }
  return {};
}

std::string error_of_speed(const LogHeader& header) {
  const bool possible = header.speed > 0 && header.speed <= most_speed;  // false for NaN
  return possible ? ""
                  : fmt::format("root attribute speed is {}, expected above 0 and at most {}",
                                header.speed, most_speed);
}

}  // namespace

std::string number_error(const Log& log) {
  const LogTables& tables = log.tables;
  for (std::string error :
       {error_of_speed(log.header), error_of("/jobs", tables.jobs), error_of_thinking(tables.jobs),
        error_of("/stages", tables.stages), error_of("/users", tables.users),
        error_of("/nodes", tables.nodes), error_of("/tasks", log.tasks),
        error_of("/samples", log.samples), error_of("/targets", log.targets),
        error_of("/ranks", tables.ranks), error_of("/resumes", tables.resumes),
        error_of_lateness(log), error_of_instants(log.instants), error_of_work(log)}) {
    if (!error.empty()) return error;
  }
  return {};
}

}  // namespace somnus
