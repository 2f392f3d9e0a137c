#include "record/recover.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>
#include <vector>

#include "model/event.hpp"
#include "record/log_lock.hpp"
#include "record/reader.hpp"
#include "record/writer.hpp"

namespace somnus {
namespace {

constexpr auto finished = static_cast<std::uint8_t>(Outcome::finished);

bool did_happen(double time) { return !std::isnan(time); }

/// NaN is neither.
void lower(double& least, double time) { least = std::fmin(least, time); }
void raise(double& most, double time) { most = std::fmax(most, time); }

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
    if (job.state != static_cast<std::uint8_t>(JobState::failed)) {
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
    if (unfinished[j]) job.finish = nan_time;
    if (!unfinished[j] && did_happen(job.finish)) {
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
  return {.place = {.file = path.string()},
          .key = fmt::format("{}[{}]", table, row),
          .what = std::move(what),
          .hint = "the file is damaged; copy it again from where it was written"};
}

/// On the disk, not only in the system's memory: the old file is about to go.
void sync(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!synced) {
    throw WorldError(fmt::format("{}: cannot write the log: {}", path.string(),
                                 std::generic_category().message(error)));
  }
}

void write_whole(const std::filesystem::path& path, const Log& log) {
  LogWriter writer(path, log.header, log.tables, {.replace = true});
  LongRows::for_each([&]<class Row>(std::type_identity<Row>) {
    for (const Row& row : rows_of<Row>(log)) writer.add(row);
  });
  writer.close(log.tables, false);
  sync(path);
}

}  // namespace

Mistakes rebuild_progress(Log& log, const std::filesystem::path& path) {
  LogTables& tables = log.tables;
  Mistakes mistakes;
  for (std::size_t s = 0; s < tables.stages.size(); ++s) {
    if (tables.stages[s].job < tables.jobs.size()) continue;
    mistakes.add(stray(path, "/stages", s, "names a job that the log doesn't have"));
  }
  if (mistakes.any()) return mistakes;

  forget_progress(tables);
  FinishedTasks done(tables.stages);
  for (std::size_t row = 0; row < log.tasks.size(); ++row) {
    const TaskRow& task = log.tasks[row];
    if (task.stage >= tables.stages.size() || task.index >= tables.stages[task.stage].tasks) {
      mistakes.add(stray(path, "/tasks", row, "names a task that the log doesn't have"));
      return mistakes;
    }
    StageRow& stage = tables.stages[task.stage];
    JobRow& job = tables.jobs[stage.job];
    activate(job);
    lower(stage.ready, task.ready);
    lower(stage.first_start, task.start);
    lower(job.first_start, task.start);
    if (task.outcome == finished && done.add(task)) {
      raise(stage.finish, task.finish);
      raise(job.finish, task.finish);
    }
  }
  const auto& arrivals = log.events.get<Stamped<JobArrived>>();
  for (std::size_t row = 0; row < arrivals.size(); ++row) {
    const JobId job = arrivals[row].job;
    if (job.index() >= tables.jobs.size()) {
      mistakes.add(stray(path, path_of<Stamped<JobArrived>>(), row,
                         "names a job that the log doesn't have"));
      return mistakes;
    }
    activate(tables.jobs[job.index()]);
  }
  conclude(tables, done);
  return mistakes;
}

Checked<Recovered> recover_log(const std::filesystem::path& path) {
  const LogLock lock(path);
  Checked<Log> log = read_log(path);
  if (!log) return tl::unexpected(std::move(log.error()));
  const Recovered recovered{.tasks = log->tasks.size(),
                            .samples = log->samples.size(),
                            .events = log->events.size(),
                            .decisions = log->decisions.size(),
                            .was_complete = log->header.complete};
  if (recovered.was_complete) return recovered;
  if (log->seals->broken > 0) {
    return mistake({.place = {.file = path.string()},
                    .what = log->seals->sentences.front(),
                    .hint = "recovering would seal it; `somnus check` tells what else is damaged"});
  }
  if (Mistakes mistakes = rebuild_progress(*log, path); mistakes.any()) {
    return tl::unexpected(std::move(mistakes));
  }

  const std::filesystem::path old = std::filesystem::canonical(path);  // not the link to it
  std::filesystem::path whole = old;
  whole += ".recovered";
  std::error_code error;
  std::filesystem::remove(whole, error);  // it may be a link to somewhere else
  try {
    write_whole(whole, *log);
  } catch (const WorldError&) {
    std::filesystem::remove(whole, error);
    throw;
  }
  std::filesystem::rename(whole, old, error);
  if (error) {
    throw WorldError(fmt::format("{}: cannot be replaced by {}: {}", path.string(), whole.string(),
                                 error.message()));
  }
  return recovered;
}

}  // namespace somnus
