#include "output/file_lock.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

#include "log/child.hpp"
#include "output/fresh_folder.hpp"
#include "output/locked_file.hpp"

namespace somnus::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Names = std::set<std::string>;

constexpr std::string_view signature = "# mine";

std::string refusal_of_lock(const fs::path& path) {
  return refusal([&] { const FileLock lock = FileLock::of_file(path); });
}

TEST(FileLock, IsHeldByOneAtATime) {
  const FreshFolder folder;
  const fs::path file = folder / "file";
  write(file, "x");
  std::optional<FileLock> first(FileLock::of_file(file));
  EXPECT_THAT(refusal_of_lock(file),
              HasSubstr(fmt::format("file: is being written by process {} on ", getpid())));
  EXPECT_TRUE(is_being_written(file));
  first.reset();
  EXPECT_EQ(refusal_of_lock(file), "");
  EXPECT_FALSE(is_being_written(file));
  EXPECT_EQ(folder.names(), Names{"file"});
}

TEST(FileLock, IsOfTheFileWhateverNameLeadsThere) {
  const FreshFolder folder;
  write(folder / "file", "x");
  fs::create_symlink("file", folder / "link");
  fs::create_hard_link(folder / "file", folder / "hard");
  const FileLock lock = FileLock::of_file(folder / "link");
  for (const char* const name : {"file", "link", "hard"}) {
    EXPECT_NE(refusal_of_lock(folder / name), "") << name;
    EXPECT_TRUE(is_being_written(folder / name)) << name;
  }
}

TEST(FileLock, OutlivesOtherDescriptorsOfTheFile) {
  const FreshFolder folder;
  const fs::path file = folder / "file";
  write(file, "x");
  const FileLock lock = FileLock::of_file(file);
  EXPECT_EQ(text_in(file), "x");  // opened and closed, as HDF5 does it
  EXPECT_NE(refusal_of_lock(file), "");
}

TEST(FileLock, LeavesReadersTheirOwnLocks) {
  const FreshFolder folder;
  const fs::path file = folder / "file";
  write(file, "x");
  const FileLock lock = FileLock::of_file(file);
  const Descriptor reader(::open(file.c_str(), O_RDONLY));
  EXPECT_EQ(::flock(reader.get(), LOCK_SH | LOCK_NB), 0);
  // What NFS makes of flock().
  struct flock whole{};
  whole.l_type = F_RDLCK;
  whole.l_whence = SEEK_SET;
  EXPECT_EQ(::fcntl(reader.get(), F_OFD_SETLK, &whole), 0);
}

TEST(FileLock, AReaderOfTheWholeFileIsNoWriter) {
  const FreshFolder folder;
  const fs::path file = folder / "file";
  write(file, "x");
  const Descriptor reader(::open(file.c_str(), O_RDONLY));
  struct flock whole{};
  whole.l_type = F_RDLCK;
  whole.l_whence = SEEK_SET;
  ASSERT_EQ(::fcntl(reader.get(), F_OFD_SETLK, &whole), 0);
  EXPECT_FALSE(is_being_written(file));
}

TEST(FileLock, DiesWithItsProcess) {
  const FreshFolder folder;
  const fs::path file = folder / "file";
  write(file, "x");
  Child child([&] {
    const FileLock lock = FileLock::of_file(file);
    write(folder / "held", "");
    for (;;) pause();
    return 0;
  });
  // To try the lock before the child has it might take it from the child.
  ASSERT_TRUE(eventually([&] { return fs::exists(folder / "held"); }));
  EXPECT_NE(refusal_of_lock(file), "");
  child.kill();
  EXPECT_EQ(refusal_of_lock(file), "");
}

TEST(FileLock, OfWhatIsNoPlainFileIsNone) {
  const FreshFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(FileLock::of_file(folder / "pipe").is_empty());
  EXPECT_TRUE(FileLock::of_file(folder / "absent").is_empty());
  EXPECT_TRUE(FileLock::of_file(folder.path()).is_empty());
}

std::string refusal_of_file(const fs::path& path, OutputRules rules = {}) {
  return refusal([&] { const LockedFile file(path, std::move(rules), signature); });
}

TEST(LockedFile, KeepsOthersAwayFromItsPlaceFromTheBeginning) {
  const FreshFolder folder;
  LockedFile file(folder / "log", {}, signature);
  EXPECT_THAT(refusal_of_file(folder / "log", {.replace = true}),
              HasSubstr("log: is being written by process"));
  ASSERT_EQ(file.file().write("text"), 0);
  file.take_its_place();
  EXPECT_THAT(refusal_of_file(folder / "log", {.replace = true}),
              HasSubstr("log: is being written by process"));
  EXPECT_EQ(text_in(folder / "log"), "text");
  EXPECT_EQ(folder.names(), Names{"log"});
}

TEST(LockedFile, KeepsOthersAwayFromWhatItReplaces) {
  const FreshFolder folder;
  write(folder / "log", "old");
  LockedFile file(folder / "log", {.replace = true}, signature);
  EXPECT_NE(refusal_of_lock(folder / "log"), "") << "until the old one is replaced it is to stay";
  file.take_its_place();
  EXPECT_NE(refusal_of_lock(folder / "log"), "");
}

TEST(LockedFile, GoesUnlessItHasTakenItsPlace) {
  const FreshFolder folder;
  write(folder / "log", "old");
  {
    const LockedFile file(folder / "log", {.replace = true}, signature);
    EXPECT_EQ(folder.names().size(), 2u);
  }
  EXPECT_EQ(folder.names(), Names{"log"});
  EXPECT_EQ(text_in(folder / "log"), "old");
}

TEST(LockedFile, AppearsWhereADanglingLinkLeads) {
  const FreshFolder folder;
  fs::create_directory(folder / "deep");
  fs::create_symlink("deep/log", folder / "link");
  LockedFile file(folder / "link", {}, signature);
  file.take_its_place();
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_TRUE(fs::is_regular_file(folder / "deep/log"));
}

TEST(LockedFile, WritesOverWhatAKilledProcessLeft) {
  const FreshFolder folder;
  for (const std::string& left :
       {std::string(), std::string(signature) + "...", std::string("# m"), std::string(9, '\0')}) {
    write(folder / ".log.new", left);
    const LockedFile file(folder / "log", {}, signature);
    EXPECT_EQ(file.begun().filename(), ".log.new");
  }
  EXPECT_EQ(folder.names(), Names{});
}

TEST(LockedFile, LeavesAloneWhatIsNotItsOwn) {
  const FreshFolder folder;
  write(folder / "victim", std::string(signature) + ": dear");
  const auto begin_beside = [&] {
    LockedFile file(folder / "log", {.replace = true}, signature);
    EXPECT_NE(file.begun().filename(), ".log.new");
    file.take_its_place();
  };
  write(folder / ".log.new", "dear");
  begin_beside();
  EXPECT_EQ(text_in(folder / ".log.new"), "dear");
  fs::remove(folder / ".log.new");
  fs::create_symlink("victim", folder / ".log.new");
  begin_beside();
  fs::remove(folder / ".log.new");
  fs::create_hard_link(folder / "victim", folder / ".log.new");
  begin_beside();
  fs::remove(folder / ".log.new");
  ASSERT_EQ(::mkfifo((folder / ".log.new").c_str(), 0600), 0);
  begin_beside();
  fs::remove(folder / ".log.new");
  fs::create_directory(folder / ".log.new");
  begin_beside();
  EXPECT_EQ(text_in(folder / "victim"), std::string(signature) + ": dear");
}

TEST(LockedFile, IsMissedWhenSomebodyRemovesOrReplacesIt) {
  const FreshFolder folder;
  LockedFile file(folder / "log", {}, signature);
  EXPECT_TRUE(file.is_there());
  file.take_its_place();
  EXPECT_TRUE(file.is_there());
  fs::remove(folder / "log");
  EXPECT_FALSE(file.is_there());
  write(folder / "log", "another's");
  EXPECT_FALSE(file.is_there());
}

TEST(LockedFile, LosesNothingThatCameThereMeanwhile) {
  const FreshFolder folder;
  LockedFile file(folder / "log", {}, signature);
  write(folder / "log", "dear");
  EXPECT_THAT(refusal([&] { file.take_its_place(); }), HasSubstr("is there already"));
  EXPECT_EQ(text_in(folder / "log"), "dear");
}

}  // namespace
}  // namespace somnus::testing
