#include "text/contents.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>

#include "harness/fresh_folder.hpp"

namespace somnus {
namespace {

TEST(Contents, AreAllBytes) {
  const harness::FreshFolder folder;
  for (const std::size_t size : {0U, 1U, 16383U, 16384U, 16385U, 100'000U}) {
    std::string bytes(size, '\0');
    for (std::size_t at = 0; at < size; ++at) bytes[at] = static_cast<char>(at * 7);
    std::ofstream(folder / "file", std::ios::binary) << bytes;
    EXPECT_EQ(contents_of(folder / "file"), bytes) << size;
  }
}

TEST(Contents, OfWhatIsNotThereAreNone) {
  const harness::FreshFolder folder;
  EXPECT_EQ(contents_of(folder / "file"), std::nullopt);
  EXPECT_EQ(errno, ENOENT);
}

TEST(Contents, OfWhatCannotBeReadAreNone) {
  const harness::FreshFolder folder;
  EXPECT_EQ(contents_of(folder / "."), std::nullopt);
  EXPECT_EQ(errno, EISDIR);
  EXPECT_EQ(contents_of("/proc/self/mem"), std::nullopt);  // nothing is at its beginning
  EXPECT_EQ(errno, EIO);
}

}  // namespace
}  // namespace somnus
