#include "log/writer.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/error.hpp"
#include "harness/property.hpp"
#include "log/reader.hpp"
#include "log/sample_log.hpp"

namespace somnus::testing {
namespace {

Log read(const std::filesystem::path& path) { return value_or_throw(read_log(path)); }

LogTables at_the_end(LogTables tables) {
  tables.jobs[1].finish = 12.5;
  tables.jobs[1].state = static_cast<std::uint8_t>(JobState::finished);
  tables.stages[3].first_start = 1e-9;
  tables.ranks[0].cpu = 0.75;
  tables.ranks.push_back({.rank = 3});
  tables.scheduler.events = 1'000'000'000'000;
  return tables;
}

TEST(LogWriter, GivesBackAllThatItWasGiven) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  LogHeader header = sample_header();
  const LogTables last = at_the_end(sample_tables());
  {
    LogWriter writer(path, header, sample_tables());
    add_rows(writer, 0, 1000);
    writer.close(last, true);
  }
  const Log log = read(path);
  header.complete = true;
  EXPECT_EQ(log.header, header);
  expect_equal(log.tables, last);
  EXPECT_TRUE(all_right(log, 1000));
}

// Flushes fall anywhere in a chunk, rows come in bursts across chunk and block boundaries: a block
// holds some 3300 tasks or samples and 10'000 arrivals, a chunk 16'384, 1024 and 4096.
TEST(LogWriter, KeepsEveryRowHoweverBurstsAndFlushesFall) {
  harness::check_law({.cases = 12}, [] {
    const FreshFolder folder;
    const std::filesystem::path path = folder / "run.h5";
    const LogOptions options{.compression = *rc::gen::element(0, 1),
                             .flush_every = std::chrono::milliseconds(1)};
    const auto burst_sizes = rc::gen::resize(100, rc::gen::inRange<std::size_t>(0, 10'000));
    const auto bursts =
        *rc::gen::resize(4, rc::gen::container<std::vector<std::size_t>>(burst_sizes));
    std::size_t rows = 0;
    {
      LogWriter writer(path, sample_header(), sample_tables(), options);
      for (const std::size_t burst : bursts) {
        for (const std::size_t end = rows + burst; rows < end; ++rows) {
          writer.add(task_row(rows));
          writer.add(sample_row(rows));
          writer.add(long_row<Stamped<JobArrived>>(rows));
          writer.add(long_row<Stamped<Launch>>(rows));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(burst % 4));
      }
      writer.close(sample_tables(), true);
    }
    const Log log = read(path);
    RC_ASSERT(log.tasks.size() == rows);
    RC_ASSERT(right_rows(log.tasks) == rows);
    RC_ASSERT(right_rows(log.samples) == rows);
    RC_ASSERT(right_rows(rows_of<Stamped<JobArrived>>(log)) == rows);
    RC_ASSERT(right_rows(rows_of<Stamped<Launch>>(log)) == rows);
  });
}

TEST(LogWriter, WritesAnEmptyWorkloadWithoutResources) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  LogWriter writer(path, LogHeader{.mode = "run"}, {});
  writer.close({}, true);
  const Log log = read(path);
  EXPECT_EQ(log.header, (LogHeader{.mode = "run", .complete = true}));
  EXPECT_TRUE(log.tables.jobs.empty());
  EXPECT_TRUE(log.tables.stage_demands.empty());
  EXPECT_TRUE(log.tasks.empty());
}

void write_old_log(const std::filesystem::path& path) {
  LogWriter old(path, sample_header(), sample_tables());
  add_rows(old, 0, 5);
  old.close(sample_tables(), false);
}

TEST(LogWriter, TakesThePlaceOfAnotherLogOnlyOnRequest) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  write_old_log(path);
  LogTables tables = sample_tables();
  tables.resumes = {{.time = 2.5, .round = 7, .ranks_before = 3, .ranks = 2}};
  LogWriter writer(
      path, sample_header(), tables,
      {.replace = true, .appears_on_request = true, .flush_every = std::chrono::milliseconds(1)});
  const std::filesystem::path aside = folder / ".run.h5.new";
  add_rows(writer, 0, 10);
  EXPECT_TRUE(std::filesystem::exists(aside));
  writer.appear();
  while (std::filesystem::exists(aside)) std::this_thread::yield();
  add_rows(writer, 10, 12);
  writer.close(tables, true);
  EXPECT_EQ(read(path).tasks.size(), 12u);
  EXPECT_EQ(read(path).tables.resumes.at(0).round, 7u);
}

TEST(LogWriter, LeavesTheOtherLogWithoutARequest) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  write_old_log(path);
  {
    LogWriter writer(path, sample_header(), sample_tables(),
                     {.replace = true, .appears_on_request = true});
    add_rows(writer, 0, 10);
  }
  EXPECT_EQ(read(path).tasks.size(), 5u);
  EXPECT_FALSE(std::filesystem::exists(folder / ".run.h5.new"));
}

TEST(LogWriter, LeavesEventsAndDecisionsEmptyWithoutReplay) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  LogWriter writer(path, sample_header(), sample_tables(), {.replay = false});
  add_rows(writer, 0, 10);
  writer.close(sample_tables(), true);
  const Log log = read(path);
  EXPECT_EQ(log.tasks.size(), 10u);
  EXPECT_TRUE(log.events.empty());
  EXPECT_TRUE(log.decisions.empty());
}

TEST(LogWriter, RenamesAResourceThatIsCalledLikeAColumn) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  LogHeader header = sample_header();
  header.resources = {"slots", "node"};
  LogWriter writer(path, header, sample_tables());
  writer.close(sample_tables(), true);
  EXPECT_EQ(texts(read(path).tables.nodes), texts(sample_tables().nodes));
}

TEST(LogWriter, ClosesAnIncompleteFileWhenItIsDestroyed) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  JobRow job = sample_tables().jobs[2];
  job.first_start = 3;
  StageRow stage = sample_tables().stages[1];
  stage.ready = 4;
  {
    LogWriter writer(path, sample_header(), sample_tables());
    for (std::size_t n = 0; n < 20'000; ++n) writer.add(task_row(n));
    writer.set(job);
    writer.set(StageId(1u), stage);
  }
  const Log log = read(path);
  EXPECT_FALSE(log.header.complete);
  EXPECT_EQ(right_rows(log.tasks, task_row), 20'000u);
  EXPECT_EQ(text(log.tables.jobs[2]), text(job));
  EXPECT_EQ(text(log.tables.stages[1]), text(stage));
  EXPECT_EQ(text(log.tables.jobs[1]), text(sample_tables().jobs[1]));
}

TEST(LogWriter, TellsWhyAFileCannotBeCreated) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "no such folder" / "run.h5";
  try {
    LogWriter writer(path, sample_header(), sample_tables());
    FAIL() << "a file in a folder that does not exist";
  } catch (const WorldError& error) {
    EXPECT_EQ(error.what(), path.string() +
                                ": cannot be written: No such file or directory; make the folder " +
                                path.parent_path().string() + " first");
  }
}

TEST(LogWriter, RefusesAJobThatTheLogDoesNotHave) {
  const FreshFolder folder;
  LogWriter writer(folder / "run.h5", sample_header(), sample_tables());
  EXPECT_THROW(writer.set(JobRow{.job = 3}), Bug);
  EXPECT_THROW(writer.set(StageId(4u), StageRow{}), Bug);
}

}  // namespace
}  // namespace somnus::testing
