#include "emulator/log/possible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "base/describe.hpp"
#include "model/event.hpp"
#include "model/limits.hpp"
#include "runtime/lateness.hpp"

namespace somnus {
namespace {

bool is_time(double seconds) { return std::isnan(seconds) || std::abs(seconds) <= most_run_s; }
/// What a job or stage takes in all, which formulas use, and no clock.
bool is_slot_time(double seconds) {
  return std::isnan(seconds) || std::abs(seconds) <= most_slot_time_s;
}

/// Worked out for a job that nothing comes in between of, which no run has to reach.
bool is_worked_out(std::string_view column) {
  return column == "critical_path" || column == "alone" || column == "gps_finish" ||
         column == "ujf_finish";
}
bool fits_a_duration(double seconds) {
  return std::isnan(seconds) || std::abs(seconds) <= in_seconds(Duration::max());
}

bool is_possible(std::string_view column, std::string_view unit, double value) {
  if (column == "think" || column == "nominal") return std::isnan(value) || is_workload_time(value);
  if (column == "weight") return is_weight(value);
  if (column == "warmup") return is_warmup(value);
  if (column == "slowdown") return value > 0 && value <= most_slowdown_of_node;
  if (column == "slot_time" || column == "estimate") return is_slot_time(value);
  if (is_worked_out(column)) return fits_a_duration(value);
  return unit != "s" || is_time(value);
}

template <class Row>
std::string fault_of(const char* table, const std::vector<Row>& rows) {
  std::string fault;
  for (std::size_t at = 0; at < rows.size() && fault.empty(); ++at) {
    for_each_field<Row>([&](const auto& field) {
      const auto value = rows[at].*field.member;
      if constexpr (std::is_same_v<decltype(value), const double>) {
        if (is_possible(field.name, field.unit, value)) return;
        fault = fmt::format("{} row {}: {} {}, which no run has", table, at, field.name, value);
      }
    });
  }
  return fault;
}

/// Times that are NaN did not happen; these always do.
std::string fault_of_thinking(const std::vector<JobRow>& jobs) {
  for (std::size_t at = 0; at < jobs.size(); ++at) {
    if (std::isnan(jobs[at].think)) return fmt::format("/jobs row {}: think nan s", at);
  }
  return {};
}

std::string fault_of_work(const Log& log) {
  std::uint64_t tasks = 0;
  for (std::size_t at = 0; at < log.tables.stages.size(); ++at) {
    tasks += log.tables.stages[at].tasks;
    if (log.tables.stages[at].tasks == 0) return fmt::format("/stages row {}: no task", at);
    if (tasks > most_tasks)
      return fmt::format("/stages row {}: more than {} tasks", at, most_tasks);
  }
  // Each attempt of a task says what that takes; it counts once.
  std::unordered_map<std::uint64_t, double> tried_again;
  const auto task_of = [](const TaskRow& row) {
    return std::uint64_t{row.stage} << 32 | row.index;
  };
  for (const TaskRow& row : log.tasks) {
    if (row.attempt > 0) tried_again.emplace(task_of(row), 0);
  }
  double slot_time = 0;
  for (std::size_t at = 0; at < log.tasks.size(); ++at) {
    const TaskRow& row = log.tasks[at];
    if (std::isnan(row.nominal)) continue;
    const auto again = tried_again.find(task_of(row));
    double counted = 0;
    if (again != tried_again.end())
      counted = std::exchange(again->second, std::max(again->second, row.nominal));
    slot_time += std::max(row.nominal - counted, 0.0);
    if (slot_time <= most_slot_time_s) continue;
    return fmt::format("/tasks row {}: tasks of more than {} s in all", at, most_slot_time_s);
  }
  return {};
}

std::string fault_of_lateness(const Log& log) {
  const std::vector<LatenessRow>& rows = log.tables.lateness;
  for (std::size_t at = 0; at < rows.size();) {
    const std::size_t begin = at;
    std::vector<LateLooks> looks;
    for (; at < rows.size() && rows[at].rank == rows[begin].rank; ++at) {
      looks.push_back({.up_to_s = rows[at].up_to, .looks = rows[at].looks});
    }
    std::string fault = fault_in(looks);
    if (rows[begin].rank >= log.header.ranks) fault = "there is no such rank";
    if (begin > 0 && rows[begin].rank < rows[begin - 1].rank) fault = "ranks go back";
    if (!fault.empty()) return fmt::format("/lateness row {}: {}", begin, fault);
  }
  return {};
}

std::string fault_of_speed(const LogHeader& header) {
  const bool possible = header.speed > 0 && header.speed <= most_speed;  // false for NaN
  return possible ? ""
                  : fmt::format("root attribute speed is {}, expected above 0 and at most {}",
                                header.speed, most_speed);
}

}  // namespace

std::string number_fault(const Log& log) {
  const LogTables& tables = log.tables;
  for (std::string fault :
       {fault_of_speed(log.header), fault_of("/jobs", tables.jobs), fault_of_thinking(tables.jobs),
        fault_of("/stages", tables.stages), fault_of("/users", tables.users),
        fault_of("/nodes", tables.nodes), fault_of("/tasks", log.tasks),
        fault_of("/samples", log.samples), fault_of("/targets", log.targets),
        fault_of("/ranks", tables.ranks), fault_of("/resumes", tables.resumes),
        fault_of_lateness(log), fault_of_work(log)}) {
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace somnus
