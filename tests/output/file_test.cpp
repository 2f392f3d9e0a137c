#include "output/file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <optional>
#include <thread>

#include "log/child.hpp"
#include "output/fresh_folder.hpp"

namespace somnus::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Names = std::set<std::string>;

void put(const fs::path& path, const std::string& text, OutputRules rules = {}) {
  OutputFile file(path, std::move(rules));
  file.write(text);
  file.commit();
}

mode_t mode_of(const fs::path& path) {
  struct stat facts{};
  EXPECT_EQ(::stat(path.c_str(), &facts), 0);
  return facts.st_mode & 07777;
}

TEST(OutputFile, AppearsWhenItIsWhole) {
  const FreshFolder folder;
  const std::string text(300'000, 'x');
  OutputFile file(folder / "out");
  file.write(text);
  EXPECT_FALSE(fs::exists(folder / "out"));
  file.write("end");
  file.commit();
  EXPECT_EQ(text_in(folder / "out"), text + "end");
  EXPECT_EQ(folder.names(), Names{"out"});
}

TEST(OutputFile, LeavesNothingUnlessItIsWhole) {
  const FreshFolder folder;
  write(folder / "old", "dear");
  {
    OutputFile first(folder / "new");
    OutputFile second(folder / "old", {.replace = true});
    second.write(std::string(300'000, 'x'));
  }
  EXPECT_EQ(text_in(folder / "old"), "dear");
  EXPECT_EQ(folder.names(), Names{"old"});
}

TEST(OutputFile, LeavesNothingWhereASignalEndsTheProcessAtOnce) {
  const FreshFolder folder;
  OutputFile file(folder / "out");
  Child child([&] {
    OutputFile another(folder / "other");
    another.write(std::string(300'000, 'x'));
    remove_unfinished();
    ::_exit(0);
    return 0;
  });
  EXPECT_EQ(child.exit_code(std::chrono::seconds(30)), 0);
  EXPECT_EQ(folder.names(), Names{}) << "the child knows of both";
}

TEST(OutputFile, LosesNothingThatCameThereMeanwhile) {
  const FreshFolder folder;
  OutputFile file(folder / "out");
  write(folder / "out", "dear");
  EXPECT_THAT(refusal([&] { file.commit(); }), HasSubstr("mistake:"));
  EXPECT_EQ(text_in(folder / "out"), "dear");
}

TEST(OutputFile, AppearsWhereLinksLead) {
  const FreshFolder folder;
  fs::create_directory(folder / "deep");
  fs::create_symlink("deep/file", folder / "link");
  put(folder / "link", "one");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(text_in(folder / "deep/file"), "one");
  put(folder / "link", "two", {.replace = true});
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(text_in(folder / "deep/file"), "two");
}

TEST(OutputFile, KeepsThePermissionsOfWhatItReplaces) {
  const FreshFolder folder;
  const mode_t mask = ::umask(027);
  put(folder / "new", "one");
  EXPECT_EQ(mode_of(folder / "new"), 0640u);
  ASSERT_EQ(::chmod((folder / "new").c_str(), 0604), 0);
  put(folder / "new", "two", {.replace = true});
  EXPECT_EQ(mode_of(folder / "new"), 0604u);
  ::umask(mask);
}

TEST(OutputFile, WritesIntoAPipeAsItComes) {
  const FreshFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = text_in(pipe); });
  const std::string text(300'000, 'x');
  put(pipe, text);
  reader.join();
  EXPECT_EQ(read, text);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(OutputFile, WritesIntoAFileThatHasNoNameAnyMore) {
  const FreshFolder folder;
  const Descriptor file(::open((folder / "gone").c_str(), O_RDWR | O_CREAT, 0600));
  ASSERT_EQ(::unlink((folder / "gone").c_str()), 0);
  put(fmt::format("/proc/self/fd/{}", file.get()), "text");  // as /dev/stdout would lead there
  std::string read(4, ' ');
  EXPECT_EQ(::pread(file.get(), read.data(), read.size(), 0), 4);
  EXPECT_EQ(read, "text");
  EXPECT_EQ(folder.names(), Names{});
}

TEST(OutputFile, WritesIntoADeviceAndNeverReplacesIt) {
  const FreshFolder folder;
  const fs::path full = folder / "full";  // as /dev/full
  if (::mknod(full.c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0) {
    GTEST_SKIP() << "nobody may make devices here";
  }
  EXPECT_THAT(refusal([&] { put(full, "x", {.replace = true}); }),
              HasSubstr("world: " + full.string() + ": cannot be written: No space left"));
  EXPECT_TRUE(fs::is_character_file(full));
  EXPECT_EQ(folder.names(), Names{"full"});
}

TEST(OutputFile, SaysWhichFolderIsMissing) {
  const FreshFolder folder;
  const std::string missing = (folder / "none").string();
  EXPECT_EQ(refusal([&] { put(folder / "none/out", "x"); }),
            "world: " + missing + "/out: cannot be written: No such file or directory; make the " +
                "folder " + missing + " first");
}

TEST(OutputFile, TakesNamesAsLongAsTheyMayBe) {
  const FreshFolder folder;
  const std::string name(255, 'n');
  put(folder / name, "x");
  EXPECT_EQ(folder.names(), Names{name});
}

}  // namespace
}  // namespace somnus::testing
