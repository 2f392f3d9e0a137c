#include "output/destination.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "output/fresh_folder.hpp"

namespace somnus::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string objection(const fs::path& path, const OutputRules& rules = {},
                      Written written = Written::in_order) {
  return objections_to_output(path, rules, written).text();
}

TEST(OutputDestination, MayBeNewOrEmpty) {
  const FreshFolder folder;
  EXPECT_EQ(objection(folder / "new"), "");
  write(folder / "empty", "");
  EXPECT_EQ(objection(folder / "empty"), "");
}

TEST(OutputDestination, IsNoFileThatIsThereUnlessItMayBeReplaced) {
  const FreshFolder folder;
  write(folder / "old", "dear");
  EXPECT_THAT(objection(folder / "old"), HasSubstr("old: is there already and would be lost"));
  EXPECT_THAT(objection(folder / "old"), HasSubstr("--force"));
  EXPECT_EQ(objection(folder / "old", {.replace = true}), "");
}

TEST(OutputDestination, IsNeverAnInputByWhateverName) {
  const FreshFolder folder;
  write(folder / "input", "dear");
  fs::create_symlink("input", folder / "link");
  fs::create_symlink("link", folder / "link-to-link");
  fs::create_hard_link(folder / "input", folder / "hard");
  const OutputRules rules{.inputs = {folder / "absent", folder / "input"}, .replace = true};
  EXPECT_THAT(objection(folder / "input", rules), HasSubstr("is read by this command"));
  for (const char* const name : {"link", "link-to-link", "hard"}) {
    EXPECT_THAT(objection(folder / name, rules),
                HasSubstr("is the same file as " + (folder / "input").string()))
        << name;
  }
  const OutputRules by_link{.inputs = {folder / "link"}, .replace = true};
  EXPECT_NE(objection(folder / "hard", by_link), "");
}

TEST(OutputDestination, IsNoFolder) {
  const FreshFolder folder;
  EXPECT_THAT(objection(folder.path(), {.replace = true}),
              HasSubstr("is a folder, expected a file"));
}

TEST(OutputDestination, MayBeAPipeForTextAlone) {
  const FreshFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder / "link");
  for (const char* const name : {"pipe", "link"}) {
    EXPECT_TRUE(is_stream(folder / name));
    EXPECT_EQ(objection(folder / name), "");
    EXPECT_THAT(objection(folder / name, {.replace = true}, Written::back_and_forth),
                HasSubstr("is a pipe, expected a plain file"));
  }
  EXPECT_THAT(objection(folder / "link", {.inputs = {folder / "pipe"}}), HasSubstr("same file"))
      << "it would wait for itself";
}

TEST(OutputDestination, MayBeACharacterDeviceForTextAlone) {
  const FreshFolder folder;
  // As /dev/null, in a folder of our own.
  if (::mknod((folder / "null").c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) {
    GTEST_SKIP() << "nobody may make devices here";
  }
  EXPECT_EQ(objection(folder / "null"), "");
  EXPECT_THAT(objection(folder / "null", {.replace = true}, Written::back_and_forth),
              HasSubstr("is a device, expected a plain file"));
}

TEST(OutputDestination, IsNoLinkThatLeadsRoundInACircle) {
  const FreshFolder folder;
  fs::create_symlink("a", folder / "b");
  fs::create_symlink("b", folder / "a");
  EXPECT_THAT(objection(folder / "a", {.replace = true}), HasSubstr("in a circle"));
}

TEST(RealPlace, IsWhereLinksLeadWhetherThereIsAFileOrNot) {
  const FreshFolder folder;
  const fs::path real = fs::canonical(folder.path());
  fs::create_directory(folder / "deep");
  fs::create_symlink("deep/file", folder / "link");
  fs::create_symlink("link", folder / "link-to-link");
  fs::create_symlink("deep", folder / "folder-link");
  EXPECT_EQ(resolved_path(folder / "link-to-link"), real / "deep/file");
  EXPECT_EQ(resolved_path(folder / "folder-link/other"), real / "deep/other");
  EXPECT_EQ(resolved_path(folder / "plain"), real / "plain");
  write(folder / "deep/file", "x");
  EXPECT_EQ(resolved_path(folder / "link"), real / "deep/file");
}

}  // namespace
}  // namespace somnus::testing
