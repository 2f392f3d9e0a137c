// A run that is killed leaves a log with every row up to its last flush.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <thread>

#include "log/child.hpp"
#include "log/reader.hpp"
#include "log/recover.hpp"
#include "log/sample_log.hpp"

namespace somnus::testing {
namespace {

constexpr std::size_t first_rows = 17'000;            // of tasks: more than a chunk
constexpr std::size_t first_others = first_rows / 4;  // of each other table: the same

/// Task rows of the first stage's tasks 0 ... 9, again and again.
TaskRow real_task_row(std::size_t n) {
  TaskRow row = task_row(n);
  row.job = row.stage = 0;
  row.index = static_cast<std::uint32_t>(n % 10);
  return row;
}

using Arrival = Stamped<JobArrived>;

Arrival real_arrival(std::size_t n) {
  auto row = long_row<Arrival>(n);
  row.job = JobId(0U);
  return row;
}

void add_others(LogWriter& writer, std::size_t first, std::size_t last) {
  for (std::size_t n = first; n < last; ++n) {
    writer.add(sample_row(n));
    writer.add(real_arrival(n));
    writer.add(long_row<Stamped<Launch>>(n));
  }
}

/// Tasks [first, last), and a quarter as many of each other kind.
void add_real_rows(LogWriter& writer, std::size_t first, std::size_t last) {
  for (std::size_t n = first; n < last; ++n) writer.add(real_task_row(n));
  add_others(writer, first / 4, last / 4);
}

/// Adds the first rows, makes `added`, and adds further ones for as long as it lives once `go`
/// exists.
int write_for_ever(const std::filesystem::path& path, const std::filesystem::path& added,
                   const std::filesystem::path& go, int compression) {
  LogWriter writer(path, sample_header(), sample_tables(),
                   {.compression = compression, .flush_every = std::chrono::milliseconds(2)});
  add_real_rows(writer, 0, first_rows);
  std::filesystem::create_directory(added);
  while (!std::filesystem::exists(go)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (std::size_t n = first_rows;; n += 100) {
    add_real_rows(writer, n, n + 100);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

bool all_first_rows_are_there(const Checked<Log>& log) {
  return log && log->tasks.size() >= first_rows && log->samples.size() >= first_others &&
         log->events.size() >= first_others && log->decisions.size() >= first_others;
}

bool opens_plainly(const std::filesystem::path& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  return file >= 0 && H5Fclose(file) >= 0;
}

void expect_right_rows(const Log& log) {
  EXPECT_EQ(right_rows(log.tasks, real_task_row), log.tasks.size());
  EXPECT_EQ(right_rows(log.samples), log.samples.size());
  EXPECT_EQ(right_rows(rows_of<Arrival>(log), real_arrival), log.events.size());
  EXPECT_EQ(right_rows(rows_of<Stamped<Launch>>(log)), log.decisions.size());
}

class KilledRun : public ::testing::TestWithParam<int> {};

TEST_P(KilledRun, LeavesEveryFlushedRowBehind) {
  const FreshFolder folder;
  for (int milliseconds : {0, 1, 3, 17, 40}) {
    const auto name = std::to_string(milliseconds);
    const std::filesystem::path path = folder / (name + ".h5");
    const std::filesystem::path added = folder / (name + ".added");
    const std::filesystem::path go = folder / (name + ".go");
    Child child([&] { return write_for_ever(path, added, go, GetParam()); });
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(added); }));
    ASSERT_TRUE(eventually([&] { return all_first_rows_are_there(read_log(path)); }));
    std::filesystem::create_directory(go);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    const Log seen = value_or_throw(read_log(path));
    child.kill();

    const Log left = value_or_throw(read_log(path));
    EXPECT_GE(left.tasks.size(), seen.tasks.size());
    EXPECT_GE(left.decisions.size(), seen.decisions.size());
    expect_right_rows(left);
    EXPECT_FALSE(opens_plainly(path));

    const Recovered recovered = value_or_throw(recover_log(path));
    EXPECT_EQ(recovered.tasks, left.tasks.size());
    EXPECT_EQ(recovered.samples, left.samples.size());
    EXPECT_EQ(recovered.events, left.events.size());
    EXPECT_EQ(recovered.decisions, left.decisions.size());
    EXPECT_TRUE(opens_plainly(path));
    const Log whole = value_or_throw(read_log(path));
    EXPECT_FALSE(whole.header.complete);
    EXPECT_EQ(whole.header, left.header);
    EXPECT_EQ(whole.tables.names, left.tables.names);
    EXPECT_EQ(whole.tasks.size(), left.tasks.size());
    expect_right_rows(whole);
  }
}

INSTANTIATE_TEST_SUITE_P(Compression, KilledRun, ::testing::Values(0, 1));

TEST(RunningRun, ShowsItsRowsToAReaderWithoutBeingAsked) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  const std::filesystem::path go = folder / "go";
  Child child([&] {
    LogWriter writer(path, sample_header(), sample_tables(),
                     {.flush_every = std::chrono::milliseconds(5)});
    JobRow job = sample_tables().jobs[1];
    for (std::size_t n = 0; n < 5; ++n) {
      writer.add(real_task_row(n));
      add_others(writer, n, n + 1);
      job.estimate = static_cast<double>(n);  // what no reader works out again
      writer.set(job);
      const auto next = go.string() + std::to_string(n);
      while (!std::filesystem::exists(next)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    writer.close(sample_tables(), true);
    return 0;
  });
  for (std::size_t n = 0; n < 5; ++n) {
    EXPECT_TRUE(eventually([&] {
      const Checked<Log> log = read_log(path);
      return log && log->tasks.size() == n + 1 && log->events.size() == n + 1 &&
             log->tables.jobs[1].estimate == static_cast<double>(n);
    })) << "row "
        << n;
    std::filesystem::create_directory(go.string() + std::to_string(n));
  }
  EXPECT_EQ(child.exit_code(std::chrono::seconds(30)), 0);
  const Log log = value_or_throw(read_log(path));
  EXPECT_TRUE(log.header.complete);
  EXPECT_EQ(log.tasks.size(), 5u);
}

}  // namespace
}  // namespace somnus::testing
