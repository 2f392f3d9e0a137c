// Who may write a log, and what is never lost by it.
#include "log/log_destination.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "log/reader.hpp"
#include "log/recover.hpp"
#include "log/sample_log.hpp"
#include "output/file_lock.hpp"

namespace somnus::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string text_in(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(LogWriter, KeepsOtherWritersAndRecoverAwayWhileItLives) {
  const FreshFolder folder;
  const fs::path log = folder / "run.h5";
  {
    LogWriter writer(log, sample_header(), sample_tables());
    EXPECT_THROW(LogWriter(log, sample_header(), sample_tables(), {.replace = true}), UserError);
    EXPECT_THROW((void)recover_log(log), UserError);
    EXPECT_TRUE(is_being_written(log));
  }
  EXPECT_FALSE(is_being_written(log));
  EXPECT_FALSE(value_or_throw(recover_log(log)).was_complete);
}

TEST(LogWriter, KeepsRecoverAwayByWhateverNameOfItsLog) {
  const FreshFolder folder;
  const fs::path log = folder / "run.h5";
  const LogWriter writer(log, sample_header(), sample_tables());
  fs::create_hard_link(log, folder / "hard.h5");
  fs::create_symlink("run.h5", folder / "link.h5");
  for (const char* const name : {"hard.h5", "link.h5"}) {
    try {
      (void)recover_log(folder / name);
      ADD_FAILURE() << name << ": a live log was recovered";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr(fmt::format("is being written by process {} on ", getpid())));
    }
  }
}

TEST(LogWriter, TouchesNoFileOfOthersBesideItsLog) {
  const FreshFolder folder;
  const fs::path log = folder / "run.h5";
  std::ofstream(folder / "victim") << "dear";
  fs::create_symlink("victim", folder / "run.h5.lock");
  fs::create_symlink("victim", folder / ".run.h5.new");
  for (const char* const name : {"run.h5.new", "run.h5.journal"}) {
    std::ofstream(folder / name) << "dear, too";
  }
  for (const bool complete : {false, true}) {
    {
      LogWriter writer(log, sample_header(), sample_tables(), {.replace = true});
      writer.close(sample_tables(), complete);
    }
    (void)value_or_throw(recover_log(log));
  }
  EXPECT_EQ(text_in(folder / "victim"), "dear");
  for (const char* const name : {"run.h5.new", "run.h5.journal"}) {
    EXPECT_EQ(text_in(folder / name), "dear, too") << name;
  }
  for (const char* const name : {"run.h5.lock", ".run.h5.new"}) {
    EXPECT_TRUE(fs::is_symlink(folder / name)) << name;
  }
}

TEST(LogWriter, FollowsADanglingLink) {
  const FreshFolder folder;
  fs::create_symlink("real.h5", folder / "link.h5");
  LogWriter(folder / "link.h5", sample_header(), sample_tables()).close(sample_tables(), true);
  EXPECT_TRUE(fs::is_symlink(folder / "link.h5"));
  EXPECT_TRUE(value_or_throw(read_log(folder / "real.h5")).header.complete);
}

TEST(LogWriter, ReplacesAFileOnlyOnRequest) {
  const FreshFolder folder;
  const fs::path log = folder / "run.h5";
  std::ofstream(log) << "dear to somebody";
  EXPECT_THROW(LogWriter(log, sample_header(), sample_tables()), UserError);
  EXPECT_EQ(fs::file_size(log), 16u);
  EXPECT_TRUE(objections_to_writing(log, {.replace = false}).any());
  EXPECT_FALSE(objections_to_writing(log, {.replace = true}).any());
  EXPECT_NO_THROW(LogWriter(log, sample_header(), sample_tables(), {.replace = true}));
}

TEST(LogWriter, NeverReplacesAnInput) {
  const FreshFolder folder;
  const fs::path config = folder / "config.toml";
  std::ofstream(config) << "[cluster]";
  fs::create_hard_link(config, folder / "run.h5");
  EXPECT_THROW(LogWriter(folder / "run.h5", sample_header(), sample_tables(),
                         {.replace = true, .inputs = {config}}),
               UserError);
  EXPECT_EQ(text_in(config), "[cluster]");
}

}  // namespace
}  // namespace somnus::testing
