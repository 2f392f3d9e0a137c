#include "log/progress.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "model/event.hpp"

namespace somnus {
namespace {

constexpr auto finished = static_cast<std::uint8_t>(Outcome::finished);

bool did_happen(double time) { return !std::isnan(time); }

/// NaN is neither.
void lower(double& least, double time) { least = std::fmin(least, time); }
void raise(double& most, double time) { most = std::fmax(most, time); }

/// One that reached a lost node never started: its times are all when that was found out.
bool has_run(const TaskRow& task) { return task.outcome == finished || task.start < task.finish; }

/// Which tasks have finished, numbered densely, a stage's tasks adjacent.
class FinishedTasks {
 public:
  explicit FinishedTasks(const std::vector<StageRow>& stages) {
    std::size_t tasks = 0;
    for (const StageRow& stage : stages) {
      first_.push_back(tasks);
      tasks += stage.tasks;
      missing_.push_back(stage.tasks);
    }
    finished_.resize(tasks);
  }
  /// False if it had finished before.
  bool add(const TaskRow& task) {
    const std::size_t number = first_[task.stage] + task.index;
    if (finished_[number]) return false;
    finished_[number] = true;
    --missing_[task.stage];
    return true;
  }
  [[nodiscard]] bool all_of_stage(std::size_t stage) const { return missing_[stage] == 0; }

 private:
  std::vector<std::size_t> first_;    // by stage
  std::vector<std::size_t> missing_;  // by stage
  std::vector<bool> finished_;
};

void forget_progress(LogTables& tables) {
  for (JobRow& job : tables.jobs) {
    job.first_start = job.finish = nan_time;
    if (!is_failure(job.state)) {
      job.state = static_cast<std::uint8_t>(JobState::pending);
    }
  }
  for (StageRow& stage : tables.stages) stage.first_start = stage.finish = nan_time;
}

/// The job of each stage finishes with its last one, so a job's `finish` is known when it has no
/// unfinished stage.
void conclude(LogTables& tables, const FinishedTasks& done) {
  std::vector<bool> unfinished(tables.jobs.size());
  for (std::size_t s = 0; s < tables.stages.size(); ++s) {
    StageRow& stage = tables.stages[s];
    if (done.all_of_stage(s)) continue;
    stage.finish = nan_time;
    unfinished[stage.job] = true;
  }
  for (std::size_t j = 0; j < tables.jobs.size(); ++j) {
    JobRow& job = tables.jobs[j];
    const bool has_failed = is_failure(job.state);
    if (unfinished[j] || has_failed) job.finish = nan_time;
    if (!unfinished[j] && !has_failed && did_happen(job.finish)) {
      job.state = static_cast<std::uint8_t>(JobState::finished);
    }
  }
}

void activate(JobRow& job) {
  if (job.state == static_cast<std::uint8_t>(JobState::pending)) {
    job.state = static_cast<std::uint8_t>(JobState::active);
  }
}

Mistake stray(const std::filesystem::path& path, const std::string& table, std::size_t row,
              std::string what) {
  return {.location = {.file = path.string()},
          .key = fmt::format("{}[{}]", table, row),
          .what = std::move(what),
          .hint = "the file is damaged; copy it again from where it was written"};
}

/// Of each table the first row that names what the log doesn't have; of stages all.
Mistakes stray_rows(const Log& log, const std::filesystem::path& path) {
  const LogTables& tables = log.tables;
  Mistakes mistakes;
  for (std::size_t s = 0; s < tables.stages.size(); ++s) {
    if (tables.stages[s].job < tables.jobs.size()) continue;
    mistakes.add(stray(path, "/stages", s, "names a job that the log doesn't have"));
  }
  for (std::size_t row = 0; row < log.tasks.size(); ++row) {
    const TaskRow& task = log.tasks[row];
    if (task.stage < tables.stages.size() && task.index < tables.stages[task.stage].tasks) continue;
    mistakes.add(stray(path, "/tasks", row, "names a task that the log doesn't have"));
    break;
  }
  const auto& arrivals = log.events.get<Stamped<JobArrived>>();
  for (std::size_t row = 0; row < arrivals.size(); ++row) {
    if (arrivals[row].job.index() < tables.jobs.size()) continue;
    mistakes.add(
        stray(path, path_of<Stamped<JobArrived>>(), row, "names a job that the log doesn't have"));
    break;
  }
  return mistakes;
}

}  // namespace

Mistakes rebuild_progress(Log& log, const std::filesystem::path& path) {
  LogTables& tables = log.tables;
  Mistakes mistakes = stray_rows(log, path);
  if (mistakes.any()) return mistakes;

  forget_progress(tables);
  FinishedTasks done(tables.stages);
  for (const TaskRow& task : log.tasks) {
    StageRow& stage = tables.stages[task.stage];
    JobRow& job = tables.jobs[stage.job];
    activate(job);
    lower(stage.ready, task.ready);
    if (has_run(task)) {
      lower(stage.first_start, task.start);
      lower(job.first_start, task.start);
    }
    if (task.outcome == finished && done.add(task)) {
      raise(stage.finish, task.finish);
      raise(job.finish, task.finish);
    }
  }
  for (const auto& arrival : log.events.get<Stamped<JobArrived>>()) {
    JobRow& job = tables.jobs[arrival.job.index()];
    activate(job);
    if (!did_happen(job.submit)) job.submit = arrival.time;
  }
  conclude(tables, done);
  return mistakes;
}

}  // namespace somnus
