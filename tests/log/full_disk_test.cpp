// A disk that fills up: simulated by a limit on the size of files.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <iostream>
#include <thread>

#include "base/error.hpp"
#include "log/child.hpp"
#include "log/reader.hpp"
#include "log/sample_log.hpp"

/// For a build with leak checks: the writer lets go of a file that failed without closing it.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace somnus::testing {
namespace {

constexpr int went_well = 0;
constexpr int never_failed = 2;
constexpr int no_reason = 3;
constexpr int closed_all_the_same = 4;

void limit_files_to(rlim_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

bool states_the_reason(const std::string& text, const std::filesystem::path& path) {
  return text.starts_with(path.string() + ": cannot write the log: ") &&
         text.ends_with("File too large");
}

struct Disk {
  rlim_t bytes;
  std::size_t rows_before;  // that are flushed before it fills up
};

int fill_disk(const Disk& disk, const std::filesystem::path& path, const std::filesystem::path& go,
              int compression) {
  limit_files_to(disk.bytes);
  LogWriter writer(path, sample_header(), sample_tables(),
                   {.compression = compression, .flush_every = std::chrono::milliseconds(5)});
  std::size_t n = 0;
  for (; n < disk.rows_before; ++n) writer.add(task_row(n));
  while (!std::filesystem::exists(go)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (; !writer.failed(); ++n) {
    if (n > 3'000'000) return never_failed;
    writer.add(task_row(n));
  }
  // None of these waits, though they are more than the blocks on their way have room for.
  const TaskRow row = task_row(n);
  for (std::size_t more = 0; more < 300'000; ++more) writer.add(row);
  if (!states_the_reason(writer.failure(), path)) {
    std::cerr << writer.failure() << std::endl;
    return no_reason;
  }
  try {
    writer.close(sample_tables(), true);
  } catch (const WorldError& error) {
    return states_the_reason(error.what(), path) ? went_well : no_reason;
  }
  return closed_all_the_same;
}

class FullDisk : public ::testing::TestWithParam<int> {};

TEST_P(FullDisk, EndsTheLogWithAReasonAndKeepsWhatIsInIt) {
  const FreshFolder folder;
  for (const Disk& disk : {Disk{400'000, 0}, Disk{2'000'000, 10'000}, Disk{4'500'000, 20'000}}) {
    const std::filesystem::path path = folder / (std::to_string(disk.bytes) + ".h5");
    const std::filesystem::path go = path.string() + ".go";
    Child child([&] { return fill_disk(disk, path, go, GetParam()); });
    ASSERT_TRUE(eventually([&] {
      const Checked<Log> log = read_log(path);
      return log && log->tasks.size() == disk.rows_before;
    }));
    std::filesystem::create_directory(go);
    ASSERT_EQ(child.exit_code(std::chrono::seconds(60)), went_well) << disk.bytes << " bytes";

    const Checked<Log> log = read_log(path);
    ASSERT_TRUE(log) << disk.bytes << " bytes: " << log.error().text();
    EXPECT_EQ(right_rows(log->tasks, task_row), log->tasks.size());
    EXPECT_GE(log->tasks.size(), disk.rows_before);
    expect_equal(log->tables, sample_tables());
  }
}

INSTANTIATE_TEST_SUITE_P(Compression, FullDisk, ::testing::Values(0, 1));

TEST(FullDisk, IsReportedWhenTheFileCannotEvenBeCreated) {
  const FreshFolder folder;
  for (const rlim_t bytes : {rlim_t{0}, rlim_t{1'000}, rlim_t{100'000}}) {
    const std::filesystem::path path = folder / (std::to_string(bytes) + ".h5");
    Child child([&] {
      limit_files_to(bytes);
      try {
        const LogWriter writer(path, sample_header(), sample_tables());
      } catch (const WorldError& error) {
        if (states_the_reason(error.what(), path)) return went_well;
        std::cerr << error.what() << std::endl;
        return no_reason;
      }
      return never_failed;
    });
    EXPECT_EQ(child.exit_code(std::chrono::seconds(60)), went_well) << bytes << " bytes";
    EXPECT_FALSE(std::filesystem::exists(path)) << bytes << " bytes";
  }
}

}  // namespace
}  // namespace somnus::testing
