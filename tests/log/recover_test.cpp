#include "log/recover.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "log/progress.hpp"
#include "log/reader.hpp"
#include "log/sample_log.hpp"
#include "log/seal.hpp"
#include "log/table.hpp"
#include "model/event.hpp"

namespace somnus::testing {
namespace {

constexpr std::uint32_t tasks_per_stage = 10;

std::uint8_t code(JobState state) { return static_cast<std::uint8_t>(state); }

TaskRow attempt(std::uint32_t stage, std::uint32_t index, double start, double finish,
                Outcome outcome = Outcome::finished) {
  return {.stage = stage,
          .index = index,
          .outcome = static_cast<std::uint8_t>(outcome),
          .ready = start - 1,
          .start = start,
          .finish = finish};
}

/// Stage s of the sample log runs its tasks from second s on, each for a tenth longer.
void run_stage(Log& log, std::uint32_t stage) {
  for (std::uint32_t index = 0; index < tasks_per_stage; ++index) {
    log.tasks.push_back(attempt(stage, index, stage + 0.0, stage + 1 + 0.1 * index));
  }
}

Log sample_log() {
  Log log;
  log.header = sample_header();
  log.tables = sample_tables();
  return log;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::filesystem::file_size(path), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

TEST(RebuildProgress, FinishesAJobWhenAllItsTasksHave) {
  Log log = sample_log();
  run_stage(log, 0);
  run_stage(log, 1);
  EXPECT_FALSE(rebuild_progress(log, "run.h5").any());
  EXPECT_EQ(log.tables.jobs[0].state, code(JobState::finished));
  EXPECT_EQ(log.tables.jobs[0].first_start, 0);
  EXPECT_EQ(log.tables.jobs[0].finish, 2.9);
  EXPECT_EQ(log.tables.stages[0].finish, 1.9);
  EXPECT_EQ(log.tables.stages[1].ready, 0);
  EXPECT_EQ(log.tables.stages[1].first_start, 1);
}

TEST(RebuildProgress, LeavesAJobActiveWhileATaskIsMissing) {
  Log log = sample_log();
  run_stage(log, 0);
  run_stage(log, 1);
  log.tasks.pop_back();
  log.tasks.push_back(attempt(1, tasks_per_stage - 1, 2, 9, Outcome::lost));
  EXPECT_FALSE(rebuild_progress(log, "run.h5").any());
  EXPECT_EQ(log.tables.jobs[0].state, code(JobState::active));
  EXPECT_TRUE(std::isnan(log.tables.jobs[0].finish));
  EXPECT_EQ(log.tables.stages[0].finish, 1.9);
  EXPECT_TRUE(std::isnan(log.tables.stages[1].finish));
}

TEST(RebuildProgress, CountsATaskOnceThoughTwoAttemptsFinished) {
  Log log = sample_log();
  run_stage(log, 2);
  log.tasks.back() = attempt(2, 0, 2, 99);
  EXPECT_FALSE(rebuild_progress(log, "run.h5").any());
  EXPECT_EQ(log.tables.jobs[1].state, code(JobState::active));
  log.tasks.push_back(attempt(2, tasks_per_stage - 1, 2, 8));
  EXPECT_FALSE(rebuild_progress(log, "run.h5").any());
  EXPECT_EQ(log.tables.jobs[1].finish, 8);
}

TEST(RebuildProgress, CallsAJobActiveThatHasOnlyArrived) {
  Log log = sample_log();
  log.tables.jobs[1].state = code(JobState::failed);
  for (const std::uint32_t job : {1U, 2U}) {
    log.events.put(Stamped<JobArrived>{{0, job - 1, 0}, {JobId(job)}});
  }
  EXPECT_FALSE(rebuild_progress(log, "run.h5").any());
  EXPECT_EQ(log.tables.jobs[0].state, code(JobState::pending));
  EXPECT_EQ(log.tables.jobs[1].state, code(JobState::failed));
  EXPECT_EQ(log.tables.jobs[2].state, code(JobState::active));
  EXPECT_TRUE(std::isnan(log.tables.jobs[2].first_start));
}

TEST(RebuildProgress, RefusesARowOfATaskThatTheLogDoesNotHave) {
  Log log = sample_log();
  log.tasks = {attempt(0, 0, 1, 2), attempt(0, tasks_per_stage, 1, 2)};
  EXPECT_THAT(rebuild_progress(log, "run.h5").text(), ::testing::HasSubstr("/tasks[1]"));
}

TEST(RebuildProgress, RefusesTheArrivalOfAJobThatTheLogDoesNotHave) {
  Log log = sample_log();
  log.events.put(Stamped<JobArrived>{{0, 0, 0}, {JobId(3U)}});
  EXPECT_THAT(rebuild_progress(log, "run.h5").text(),
              ::testing::HasSubstr("/events/job_arrived[0]: names a job"));
}

TEST(RecoverLog, LeavesACompleteLogAsItIs) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  LogWriter writer(path, sample_header(), sample_tables());
  add_rows(writer, 0, 100);
  writer.close(sample_tables(), true);
  const std::string before = bytes_of(path);
  const Recovered recovered = value_or_throw(recover_log(path));
  EXPECT_TRUE(recovered.was_complete);
  EXPECT_EQ(recovered.tasks, 100u);
  EXPECT_EQ(bytes_of(path), before);
}

TEST(RecoverLog, WritesWhatTheTaskRowsTellIntoTheTables) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  Log log = sample_log();
  run_stage(log, 3);
  {
    LogWriter writer(path, log.header, log.tables);
    for (const TaskRow& row : log.tasks) writer.add(row);
  }
  const Recovered figures = value_or_throw(recover_log(path));
  EXPECT_FALSE(figures.was_complete);
  EXPECT_EQ(figures.finished_tasks, tasks_per_stage);
  EXPECT_EQ(figures.arrived_jobs, 1u);
  EXPECT_EQ(figures.active_jobs, 0u);
  EXPECT_EQ(figures.time_s, log.tasks.back().finish);
  const Log recovered = value_or_throw(read_log(path));
  EXPECT_EQ(recovered.tables.jobs[2].state, code(JobState::finished));
  EXPECT_EQ(recovered.tables.stages[3].first_start, 3);
  EXPECT_EQ(recovered.header, log.header);
  EXPECT_EQ(texts(recovered.tasks), texts(log.tasks));
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".journal"));
}

// As somebody would forge it who has read how rows are sealed.
TEST(RecoverLog, SaysThatATableHasAnotherLengthThanItsOwnAndLeavesItThere) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  const Log log = sample_log();
  {
    const LogWriter writer(path, log.header, log.tables);
  }
  {
    hdf5::prepare_thread();
    const hdf5::File file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), "open");
    hdf5::checked(H5Ldelete(file.get(), "/scheduler", H5P_DEFAULT), "remove");
    const Layout layout = layout_of<SchedulerRow>({});
    const hdf5::Dataset table = hdf5::create_fixed(file.get(), "/scheduler", layout, 2);
    const std::array<SchedulerRow, 2> rows{};
    const auto packed = layout.packed(std::as_bytes(std::span(rows)));
    hdf5::write_rows(table, hdf5::compound_type(layout), 0, rows.size(), packed.data());
    hdf5::seal_attributes(table.get());
    hdf5::Seals seals = hdf5::Seals::of(file.get(), hdf5::salt_of(log.header));
    const std::uint32_t number = seals.table("/scheduler");
    const hdf5::Sealer sealer(table, seals.salt());
    seals.replace(number, hdf5::seals_of(number, sealer, packed, layout.row_bytes()));
    seals.flush();
  }
  const std::string before = bytes_of(path);
  const Checked<Recovered> recovered = recover_log(path);
  ASSERT_FALSE(recovered);
  EXPECT_THAT(recovered.error().text(), ::testing::HasSubstr("/scheduler: has 2 rows, expected 1"));
  EXPECT_EQ(bytes_of(path), before);
}

}  // namespace
}  // namespace somnus::testing
