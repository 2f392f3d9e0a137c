#include "log/recover.hpp"

#include <fmt/format.h>

#include <optional>

#include "hdf5/safe_change.hpp"
#include "log/log_file.hpp"
#include "log/progress.hpp"
#include "log/reader.hpp"
#include "log/table.hpp"
#include "output/file_lock.hpp"

namespace somnus {
namespace {

constexpr const char* hint_if_damaged =
    "the file is damaged; copy it again from where it was written";

/// Rows behind the last that was written have only a length.
void drop_unwritten(hid_t file, const Log& log) {
  LongRows::for_each([&]<class Row>(std::type_identity<Row>) {
    const std::optional<hdf5::Dataset> dataset = hdf5::open_dataset(file, path_of<Row>());
    const std::size_t rows = rows_of<Row>(log).size();
    if (dataset && hdf5::row_count(*dataset) != rows) hdf5::set_row_count(*dataset, rows);
  });
}

/// A forged table may be of a kind that can be read, but that keeps its length.
Mistakes objections_to_new_lengths(hid_t file, const Log& log, const std::filesystem::path& path) {
  Mistakes mistakes;
  const auto look_at = [&](const std::string& table, std::size_t rows) {
    const std::optional<hdf5::Dataset> dataset = hdf5::open_dataset(file, table);
    if (!dataset || hdf5::row_count(*dataset) == rows || hdf5::can_have_rows(*dataset, rows))
      return;
    mistakes.add({.location = {.file = path.string()},
                  .key = table,
                  .what = fmt::format("has {} rows, expected {}", hdf5::row_count(*dataset), rows),
                  .hint = hint_if_damaged});
  };
  look_at("/scheduler", 1);
  LongRows::for_each([&]<class Row>(std::type_identity<Row>) {
    look_at(path_of<Row>(), rows_of<Row>(log).size());
  });
  return mistakes;
}

double last_time_s(const Log& log) {
  double last = 0;
  for (const TaskRow& task : log.tasks) raise(last, task.finish);
  if (!log.samples.empty()) raise(last, log.samples.back().time);
  EventRows::for_each([&]<class Row>(std::type_identity<Row>) {
    if (!rows_of<Row>(log).empty()) raise(last, rows_of<Row>(log).back().time);
  });
  return last;
}

Recovered figures_of(const Log& log) {
  const auto has_finished = [](const TaskRow& task) { return task.outcome == finished; };
  const auto state_is = [](JobState state) {
    return [state](const JobRow& job) { return job.state == static_cast<std::uint8_t>(state); };
  };
  const auto count = [](const auto& rows, const auto& is_counted) {
    return static_cast<std::size_t>(std::ranges::count_if(rows, is_counted));
  };
  const std::vector<JobRow>& jobs = log.tables.jobs;
  return {.tasks = log.tasks.size(),
          .samples = log.samples.size(),
          .events = log.events.size(),
          .decisions = log.decisions.size(),
          .was_complete = log.header.complete,
          .finished_tasks = count(log.tasks, has_finished),
          .arrived_jobs = jobs.size() - count(jobs, state_is(JobState::pending)),
          .active_jobs = count(jobs, state_is(JobState::active)),
          .time_s = last_time_s(log)};
}

[[noreturn]] void fail(const std::filesystem::path& path, const hdf5::Failure& failure) {
  throw WorldError(fmt::format("{}: cannot write the log: {}", path.string(), failure.what()));
}

}  // namespace

Checked<Recovered> recover_log(const std::filesystem::path& path) {
  const FileLock lock = FileLock::of_file(path);
  hdf5::prepare_thread();
  try {
    hdf5::finish_change(path);
  } catch (const hdf5::Failure& failure) {
    fail(path, failure);
  }
  Checked<Log> log = read_log(path);
  if (!log) return tl::unexpected(std::move(log.error()));
  if (log->header.complete) return figures_of(*log);
  if (log->seals->broken > 0) {
    return mistake({.location = {.file = path.string()},
                    .what = log->seals->sentences.front(),
                    .hint = "recovering would seal it; `somnus check` shows what else is damaged"});
  }
  if (Mistakes mistakes = rebuild_progress(*log, path); mistakes.any()) {
    return tl::unexpected(std::move(mistakes));
  }

  try {
    hdf5::change_safely(path, hdf5::Sync::yes, [&](hid_t file) {
      Mistakes mistakes = objections_to_new_lengths(file, *log, path);
      if (mistakes.any()) throw UserError(std::move(mistakes));
      drop_unwritten(file, *log);
      write_end(file, log->header, log->tables, false);
    });
  } catch (const UserError& error) {
    return tl::unexpected(error.mistakes());
  } catch (const hdf5::Failure& failure) {
    fail(path, failure);
  }
  return figures_of(*log);
}

}  // namespace somnus
