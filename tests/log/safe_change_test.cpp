// A log that is closed or recovered is changed in place; whoever is killed at that, at any moment,
// leaves a log that can be read, or recovered.
#include "hdf5/safe_change.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <thread>

#include "base/hash.hpp"
#include "hdf5/overlay.hpp"
#include "log/child.hpp"
#include "log/reader.hpp"
#include "log/recover.hpp"
#include "log/sample_log.hpp"

namespace somnus::testing {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;

constexpr std::size_t all_rows = 5'000;

/// Of the first stage's tasks 0 ... 9, again and again.
TaskRow row_of_a_task(std::size_t n) {
  TaskRow row = task_row(n);
  row.job = row.stage = 0;
  row.index = static_cast<std::uint32_t>(n % 10);
  return row;
}

void add_tasks(LogWriter& writer) {
  for (std::size_t n = 0; n < all_rows; ++n) writer.add(row_of_a_task(n));
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(Overlay, ShowsWhatIsWrittenAndLeavesTheFileAsItIs) {
  const FreshFolder folder;
  const fs::path path = folder / "text";
  const std::string before(10'000, 'a');
  std::ofstream(path) << before;
  hdf5::Overlay overlay(path);
  const std::string in(5'000, 'b');
  ASSERT_TRUE(overlay.write(3'000, std::as_bytes(std::span(in))));
  ASSERT_TRUE(overlay.write(9'999, std::as_bytes(std::span("aaa", 3))));  // over the end
  std::vector<std::byte> out(10'010);
  ASSERT_TRUE(overlay.read(0, out));
  EXPECT_EQ(text_of(out),
            before.substr(0, 3'000) + in + before.substr(0, 2'002) + std::string(8, '\0'));
  ASSERT_TRUE(overlay.read(7'999, std::span(out).first(2)));
  EXPECT_EQ(text_of(std::span(out).first(2)), "ba");
  EXPECT_EQ(overlay.size(), 10'002U);
  EXPECT_EQ(overlay.changed().size(), 3U);
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), before);
}

TEST(Journal, OfAnotherFileIsLeftAloneAndSoIsTheLog) {
  const FreshFolder folder;
  const fs::path log = folder / "log.h5";
  const std::string before(10'000, 'a');
  const auto content_of = [](const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const auto number = [](std::uint64_t value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  const auto journal = [&](std::uint64_t size, const std::vector<std::uint64_t>& places,
                           char was = 'a') {
    std::string text = "somnus journal 2" + number(size);
    for (const std::uint64_t place : places) {
      std::string page = (place < before.size() ? before.substr(place, 4096) : "");
      std::ranges::replace(page, 'a', was);
      page.resize(4096);
      text += number(place);
      for (std::size_t at = 0; at < 4096; at += 512) text += number(hash64(page.substr(at, 512)));
      text += std::string(4096, 'b');
    }
    return text + number(hash64(text));
  };
  const std::uint64_t far = std::uint64_t{1} << 62;
  for (const std::string& foreign :
       {journal(far, {}), journal(far, {0}), journal(10'000, {far}), journal(10'000, {4096, 0}),
        journal(10'000, {17}), journal(10'000, {0, 0}), journal(10'000, {0}, 'c')}) {
    std::ofstream(log, std::ios::binary) << before;
    std::ofstream(log.string() + ".journal", std::ios::binary) << foreign;
    EXPECT_THROW(hdf5::finish_change(log), hdf5::Failure);
    EXPECT_EQ(content_of(log), before);
    EXPECT_EQ(content_of(log.string() + ".journal"), foreign);
  }
  // Begun: one of the disk's sectors has been changed.
  std::ofstream(log, std::ios::binary)
      << before.substr(0, 8192 + 512) << std::string(512, 'b') << before.substr(8192 + 1024);
  std::ofstream(log.string() + ".journal", std::ios::binary) << journal(12'000, {8192});
  EXPECT_TRUE(hdf5::finish_change(log));
  EXPECT_EQ(content_of(log), before.substr(0, 8192) + std::string(12'000 - 8192, 'b'));
  EXPECT_FALSE(fs::exists(log.string() + ".journal"));
}

TEST(Overlay, KeepsNothingOfWhatIsThereAlready) {
  const FreshFolder folder;
  const fs::path path = folder / "text";
  const std::string text(10'000, 'a');
  std::ofstream(path) << text;
  hdf5::Overlay overlay(path);
  ASSERT_TRUE(overlay.write(0, std::as_bytes(std::span(text))));
  EXPECT_TRUE(overlay.changed().empty());
}

/// The log of a run that was killed.
fs::path cut_off_log(const FreshFolder& folder) {
  const fs::path path = folder / "cut-off.h5";
  const fs::path flushed = folder / "flushed";
  Child child([&] {
    LogWriter writer(path, sample_header(), sample_tables(), {.flush_every = {}});
    add_tasks(writer);
    std::this_thread::sleep_for(std::chrono::hours(1));
    return 0;
  });
  EXPECT_TRUE(eventually([&] {
    const Checked<Log> log = read_log(path);
    return log && log->tasks.size() == all_rows;
  }));
  child.kill();
  return path;
}

/// A child that changes `path` and touches `begun` right before it is killed.
using Change = std::function<void(const fs::path& path, const fs::path& begun)>;

/// How long the change takes from there if nobody kills it.
microseconds time_of(const Change& change, const fs::path& path) {
  const fs::path begun = path.string() + ".begun";
  Child child([&] {
    change(path, begun);
    return 0;
  });
  EXPECT_TRUE(eventually([&] { return fs::exists(begun); }));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(child.exit_code(std::chrono::seconds(30)), 0);
  return std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - start);
}

void kill_amid(const Change& change, const fs::path& path, microseconds moment) {
  const fs::path begun = path.string() + ".begun";
  Child child([&] {
    change(path, begun);
    return 0;
  });
  ASSERT_TRUE(eventually([&] { return fs::exists(begun); }));
  std::this_thread::sleep_for(moment);
  child.kill();
}

constexpr int moments = 12;

TEST(SafeChange, OfARecoveryThatIsKilledAtAnyMomentCanBeRecovered) {
  const FreshFolder folder;
  const fs::path cut_off = cut_off_log(folder);
  const Change recovery = [](const fs::path& path, const fs::path& begun) {
    std::ofstream{begun};
    (void)value_or_throw(recover_log(path));
  };
  const auto copy_for = [&](int step) {
    fs::path path = folder / (std::to_string(step) + ".h5");
    fs::copy_file(cut_off, path);
    return path;
  };
  const microseconds whole = time_of(recovery, copy_for(moments));
  for (int step = 0; step < moments; ++step) {
    const fs::path path = copy_for(step);
    kill_amid(recovery, path, step * whole / moments);
    EXPECT_TRUE(recover_log(path)) << step;
    const Log log = value_or_throw(read_log(path));
    EXPECT_EQ(log.tasks.size(), all_rows);
    EXPECT_EQ(right_rows(log.tasks, row_of_a_task), all_rows);
    EXPECT_EQ(log.seals->broken, 0U) << step;
    EXPECT_FALSE(fs::exists(path.string() + ".journal"));
  }
}

TEST(SafeChange, OfACloseThatIsKilledAtAnyMomentCanBeReadOrRecovered) {
  const FreshFolder folder;
  const Change close = [](const fs::path& path, const fs::path& begun) {
    LogWriter writer(path, sample_header(), sample_tables());
    add_tasks(writer);
    std::ofstream{begun};
    writer.close(sample_tables(), true);
  };
  const microseconds whole = time_of(close, folder / "whole.h5");
  for (int step = 0; step < moments; ++step) {
    const fs::path path = folder / (std::to_string(step) + ".h5");
    kill_amid(close, path, step * whole / moments);
    EXPECT_TRUE(recover_log(path)) << step;
    const Log log = value_or_throw(read_log(path));
    EXPECT_EQ(log.seals->broken, 0U) << step;
    EXPECT_TRUE(!log.header.complete || log.tasks.size() == all_rows) << step;
  }
}

TEST(SafeChange, WithoutAWholeJournalThereIsNothingToFinish) {
  const FreshFolder folder;
  const fs::path path = folder / "run.h5";
  {
    LogWriter(path, sample_header(), sample_tables()).close(sample_tables(), true);
  }
  EXPECT_FALSE(hdf5::finish_change(path));
  const fs::path journal = path.string() + ".journal";
  std::ofstream(journal) << "somnus journal 2, but cut off";
  EXPECT_FALSE(hdf5::finish_change(path));
  EXPECT_FALSE(fs::exists(journal));
  EXPECT_TRUE(value_or_throw(read_log(path)).header.complete);
}

TEST(LogFile, ThatSomebodyRemovedIsAFailureOfTheRun) {
  const FreshFolder folder;
  const fs::path path = folder / "run.h5";
  LogWriter writer(path, sample_header(), sample_tables(), {.flush_every = {}});
  fs::remove(path);
  ASSERT_TRUE(eventually([&] { return writer.failed(); }));
  EXPECT_NE(writer.failure().find("has been removed or replaced"), std::string::npos)
      << writer.failure();
}

}  // namespace
}  // namespace somnus::testing
