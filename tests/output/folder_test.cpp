#include "output/folder.hpp"

#include <sys/stat.h>

#include "output/fresh_folder.hpp"

namespace somnus::testing {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

void put_folder(const fs::path& path, const std::string& file) {
  OutputFolder folder(path);
  write(folder.fresh() / file, "x");
  folder.commit();
}

TEST(OutputFolder, AppearsWhenItIsWhole) {
  const FreshFolder folder;
  {
    OutputFolder out(folder / "out/");
    write(out.fresh() / "file", "x");
    EXPECT_FALSE(fs::exists(folder / "out"));
  }
  EXPECT_EQ(folder.names(), Names{}) << "without commit()";
  put_folder(folder / "out", "file");
  EXPECT_TRUE(fs::exists(folder / "out/file"));
  EXPECT_EQ(folder.names(), Names{"out"});
}

TEST(OutputFolder, TakesThePlaceWhereALinkLeads) {
  const FreshFolder folder;
  fs::create_directory(folder / "real");
  ASSERT_EQ(::chmod((folder / "real").c_str(), 0750), 0);
  write(folder / "real/old", "x");
  fs::create_symlink("real", folder / "link");
  put_folder(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_TRUE(fs::exists(folder / "real/new"));
  EXPECT_FALSE(fs::exists(folder / "real/old"));
  EXPECT_EQ(fs::status(folder / "real").permissions(), fs::perms(0750));
}

TEST(ScratchFolder, IsNobodyElsesAndGoesWithItsOwner) {
  const FreshFolder folder;
  {
    const ScratchFolder one(folder.path());
    const ScratchFolder other(folder.path());
    write(one.file("a"), "x");
    EXPECT_FALSE(fs::exists(other.file("a")));
    EXPECT_EQ(folder.names().size(), 2u);
  }
  EXPECT_EQ(folder.names(), Names{});
}

}  // namespace
}  // namespace somnus::testing
