#include "record/log_lock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "record/child.hpp"
#include "record/recover.hpp"
#include "record/sample_log.hpp"

namespace somnus::testing {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::filesystem::path& log) {
  try {
    const LogLock lock(log);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(LogLock, IsHeldByOneAtATime) {
  const Folder folder;
  const std::filesystem::path log = folder.file("run.h5");
  std::optional<LogLock> first(log);
  EXPECT_THAT(refusal(log), HasSubstr(fmt::format("is being written by process {} on ", getpid())));
  first.reset();
  EXPECT_EQ(refusal(log), "");
  EXPECT_TRUE(std::filesystem::is_empty(log.parent_path()));
}

TEST(LogLock, HoldsWhateverLinkLeadsThere) {
  const Folder folder;
  const std::filesystem::path log = folder.file("run.h5");
  std::ofstream(log) << "a log";
  std::filesystem::create_symlink("run.h5", folder.file("link.h5"));
  const LogLock lock(folder.file("link.h5"));
  EXPECT_NE(refusal(log), "");
}

TEST(LogLock, DiesWithItsProcess) {
  const Folder folder;
  const std::filesystem::path log = folder.file("run.h5");
  const std::filesystem::path held = folder.file("held");
  Child child([&] {
    const LogLock lock(log);
    std::ofstream{held};
    for (;;) pause();
    return 0;
  });
  // To try the lock before the child has it might take it from the child.
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(held); }));
  EXPECT_NE(refusal(log), "");
  child.kill();
  EXPECT_EQ(refusal(log), "");
}

TEST(LogWriter, KeepsOtherWritersAndRecoverAwayWhileItLives) {
  const Folder folder;
  const std::filesystem::path log = folder.file("run.h5");
  {
    LogWriter writer(log, sample_header(), sample_tables());
    EXPECT_THROW(LogWriter(log, sample_header(), sample_tables(), {.replace = true}), UserError);
    EXPECT_THROW((void)recover_log(log), UserError);
  }
  EXPECT_FALSE(value_or_throw(recover_log(log)).was_complete);
}

TEST(LogWriter, ReplacesAFileOnlyIfToldTo) {
  const Folder folder;
  const std::filesystem::path log = folder.file("run.h5");
  std::ofstream(log) << "dear to somebody";
  EXPECT_THROW(LogWriter(log, sample_header(), sample_tables()), UserError);
  EXPECT_EQ(std::filesystem::file_size(log), 16u);
  EXPECT_TRUE(objections_to_writing(log, /*replace=*/false).any());
  EXPECT_FALSE(objections_to_writing(log, /*replace=*/true).any());
  EXPECT_NO_THROW(LogWriter(log, sample_header(), sample_tables(), {.replace = true}));
}

}  // namespace
}  // namespace somnus::testing
