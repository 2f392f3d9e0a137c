// Google's cluster data of 2011, rows of task_events in order of time, 13 cells without a first
// line of names; lines that begin with '#' are not looked at. A task, which is a job's number and
// an index, takes the time from its last SCHEDULE to FINISH, and demands cpu and mem, as shares of
// the largest machine, as its last row before says. A job comes with the first SUBMIT of its
// tasks. Tasks that never finished, or began before the trace (time 0), are left out, and the
// workload's name says how many. Tasks of a job that demand the same are a stage. Priorities are
// queues, priority_9.
#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "model/limits.hpp"
#include "text/cells.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"
#include "text/text_window.hpp"
#include "workload/check.hpp"

namespace somnus::import_google2011 {
namespace {

struct Google2011Options {
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    return in_order(field("jobs", &Google2011Options::jobs, "1",
                          "the first so many by submit; 0: all", Range{.low = 0, .high = 1e9}));
  }
};

enum EventColumn : std::size_t {
  event_time,
  event_missing,
  event_job,
  event_index,
  event_machine,
  event_type,
  event_user,
  event_class,
  event_priority,
  event_cpu,
  event_memory,
  event_disk,
  event_constraint,
  event_columns
};
constexpr std::array<std::string_view, event_columns> event_names = {"time",
                                                                     "missing_info",
                                                                     "job_id",
                                                                     "task_index",
                                                                     "machine_id",
                                                                     "event_type",
                                                                     "user",
                                                                     "class",
                                                                     "priority",
                                                                     "cpu_request",
                                                                     "memory_request",
                                                                     "disk_space_request",
                                                                     "different_machine"};

enum class TaskEvent { submit, schedule, evict, fail, finish, kill, lost, update_waiting, update };
constexpr unsigned task_events = 9;

constexpr std::uint64_t after_the_trace_us = 9223372036854775807U;  // 2^63 - 1

class Google2011Reader {
 public:
  Google2011Reader(const TextFile& file, const Google2011Options& options)
      : file_(file), options_(options), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view line, int number) {
      if (line.empty() || line.starts_with('#')) return;
      any_row_ = true;
      read_row(cells_of(line), number);
    });
    if (mistakes_.any()) return tl::unexpected(std::move(mistakes_).take());
    LineJobs jobs = finished_jobs();
    if (jobs.empty()) {
      mistakes_.add(0, 0, "",
                    any_row_
                        ? "expected at least one task that was scheduled and finished, found none"
                        : "expected a workload, found no row");
    }
    keep_first(jobs, options_.jobs);
    return workload_of(std::move(jobs),
                       {.name = workload_name(file_.name(), notes()), .resources = {"cpu", "mem"}},
                       std::move(mistakes_), "jobs of format google2011 keeps the first so many");
  }

 private:
  static constexpr double never_s = -1;

  struct Task {
    double scheduled_s = never_s;  // last; never, too, where that was before the trace
    double took_s = never_s;
    double cpu = 0;
    double memory = 0;
  };
  struct Draft {
    LineJob line;
    std::map<std::uint32_t, Task> tasks;  // by index
  };

  void read_row(const std::vector<Cell>& cells, int number) {
    if (cells.size() != event_columns) {
      mistakes_.add(number, 0, "", fmt::format("expected 13 cells, found {}", cells.size()));
      return;
    }
    bool is_whole = true;
    const auto refuse = [&](EventColumn column, std::string_view what) {
      is_whole = false;
      mistakes_.add(number, cells[column].column, std::string(event_names[column]),
                    fmt::format("expected {}, found '{}'", what, cells[column].text));
    };
    const auto amount = [&](EventColumn column) {
      if (cells[column].text.empty()) return 0.0;  // the trace leaves out some
      const auto found = parse_number<double>(cells[column].text);
      if (!found || *found < 0) refuse(column, "a share of the largest machine, or nothing");
      return found.value_or(0);
    };
    const auto time_us = parse_number<std::uint64_t>(cells[event_time].text);
    if (!time_us || *time_us > after_the_trace_us) refuse(event_time, "microseconds");
    const std::string_view job = cells[event_job].text;
    if (job.empty()) refuse(event_job, "a number");
    const auto index = parse_number<std::uint32_t>(cells[event_index].text);
    if (!index) refuse(event_index, "a whole number");
    const auto type = parse_number<unsigned>(cells[event_type].text);
    if (!type || *type >= task_events) refuse(event_type, "an event's number, 0 to 8");
    const double cpu = amount(event_cpu);
    const double memory = amount(event_memory);
    const std::uint64_t at_us = time_us.value_or(after_the_trace_us);
    if (!is_whole || at_us == after_the_trace_us) return;

    const double at_s = static_cast<double>(at_us) / 1e6;
    Draft& draft = draft_of(cells, number, at_s);
    Task& task = draft.tasks[index.value_or(0)];
    switch (static_cast<TaskEvent>(type.value_or(0))) {
      case TaskEvent::submit:
        draft.line.job.submit = std::min(draft.line.job.submit, at_s);
        [[fallthrough]];
      case TaskEvent::update_waiting:
      case TaskEvent::update:
        task.cpu = cpu;
        task.memory = memory;
        return;
      case TaskEvent::schedule:
        task = {.scheduled_s = at_us == 0 ? never_s : at_s, .cpu = cpu, .memory = memory};
        return;
      case TaskEvent::evict:
      case TaskEvent::fail:
      case TaskEvent::kill:
      case TaskEvent::lost:
        task.scheduled_s = never_s;
        return;
      case TaskEvent::finish:
        if (task.scheduled_s == never_s) return;
        task.took_s = at_s - task.scheduled_s;
        task.scheduled_s = never_s;
        if (is_workload_time(task.took_s)) return;
        mistakes_.add(number, cells[event_time].column, "time",
                      not_a_time(task.took_s) + " after the task was scheduled",
                      "rows stand in order of time");
    }
  }

  Draft& draft_of(const std::vector<Cell>& cells, int number, double at_s) {
    const auto [known, is_new] =
        index_of_.try_emplace(std::string(cells[event_job].text), drafts_.size());
    if (!is_new) return drafts_[known->second];
    const auto named = [&](EventColumn column, std::string_view prefix) {
      const std::string_view text = cells[column].text;
      return text.empty() ? std::string("default") : fmt::format("{}{}", prefix, text);
    };
    return drafts_.emplace_back(Draft{.line = {.line = number,
                                               .column = cells[event_time].column,
                                               .job = {.job = known->first,
                                                       .user = named(event_user, ""),
                                                       .queue = named(event_priority, "priority_"),
                                                       .submit = at_s}},
                                      .tasks = {}});
  }

  // Tasks of one job that request the same are a stage; its stages stand side by side.
  LineJobs finished_jobs() {
    LineJobs jobs;
    for (Draft& draft : drafts_) {
      std::map<std::pair<double, double>, std::size_t> stage_of;
      std::vector<StageSpec>& stages = draft.line.job.stages;
      for (const auto& [index, task] : draft.tasks) {
        if (task.took_s == never_s) {
          ++unfinished_tasks_;
          continue;
        }
        const auto label = static_cast<std::uint32_t>(stages.size());
        const auto [stage, is_new] = stage_of.try_emplace({task.cpu, task.memory}, label);
        if (is_new) stages.push_back({.stage = label, .demand = {task.cpu, task.memory}});
        stages[stage->second].durations.push_back(task.took_s);
      }
      draft.tasks.clear();
      if (stages.empty()) {
        ++empty_jobs_;
      } else {
        jobs.push_back(std::move(draft.line));
      }
    }
    return jobs;
  }

  [[nodiscard]] std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (unfinished_tasks_ > 0) {
      notes.push_back(fmt::format("tasks that did not finish left out: {}", unfinished_tasks_));
    }
    if (empty_jobs_ > 0) notes.push_back(fmt::format("jobs without others: {}", empty_jobs_));
    return notes;
  }

  const TextFile& file_;
  Google2011Options options_;
  MistakeCollector mistakes_;
  bool any_row_ = false;
  std::vector<Draft> drafts_;                              // by first row
  std::unordered_map<std::string, std::size_t> index_of_;  // by job
  std::size_t unfinished_tasks_ = 0;
  std::size_t empty_jobs_ = 0;
};

bool looks_like(std::string_view text) {
  while (text.starts_with('#')) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  const auto cells = cells_of(text.substr(0, text.find_first_of("\r\n")));
  if (cells.size() != event_columns) return false;
  return std::ranges::all_of(std::array{event_time, event_job, event_index, event_type},
                             [&](std::size_t column) {
                               return parse_number<std::uint64_t>(cells[column].text).has_value();
                             });
}

const Registered<Format> row = format<Google2011Reader, Google2011Options>(
    "google2011", "Google's cluster data of 2011, task_events: one event of one task a row", "",
    looks_like);

}  // namespace
}  // namespace somnus::import_google2011
