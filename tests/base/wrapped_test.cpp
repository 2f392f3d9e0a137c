#include "base/wrapped.hpp"

#include <gtest/gtest.h>

namespace somnus {
namespace {

TEST(Wrapped, TextThatFitsIsAsItWas) {
  EXPECT_EQ(wrapped("", 4, 20), "");
  EXPECT_EQ(wrapped("as it was, so it is.", 0, 20), "as it was, so it is.");
}

TEST(Wrapped, LinesAreAsLongAsTheyMayBeAndBeginAtTheIndent) {
  EXPECT_EQ(wrapped("a bb ccc dddd", 2, 8), "a bb\n  ccc\n  dddd");
  EXPECT_EQ(wrapped("a bbb cc", 2, 8), "a bbb\n  cc");
  EXPECT_EQ(wrapped("aaa bbb cc", 0, 7), "aaa bbb\ncc");
}

TEST(Wrapped, WordsThatDoNotFitHaveALineOfTheirOwn) {
  EXPECT_EQ(wrapped("a bbbbbbbbbb c", 0, 4), "a\nbbbbbbbbbb\nc");
  EXPECT_EQ(wrapped("bbbbbbbbbb", 9, 4), "bbbbbbbbbb");
}

}  // namespace
}  // namespace somnus
