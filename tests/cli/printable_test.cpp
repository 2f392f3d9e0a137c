#include "print/printable.hpp"

#include <gtest/gtest.h>

namespace somnus {
namespace {

using namespace std::string_literals;

TEST(Printable, LeavesOrdinaryNamesAlone) {
  EXPECT_EQ(printable("ann-7"), "ann-7");
  EXPECT_EQ(printable("Jürgen 李"), "Jürgen 李");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("a\nb\x1b[31m\0c\x7f"s), "a\\u{a}b\\u{1b}[31m\\u{0}c\\u{7f}");
  EXPECT_EQ(printable("\u009b31m"), "\\u{9b}31m") << "a terminal takes it for ESC [";
}

TEST(Printable, EscapesWhatWouldTurnTheLineRound) {
  EXPECT_EQ(printable("a\u202Eb"), "a\\u{202e}b");
  EXPECT_EQ(printable("a\u200Bb"), "a\\u{200b}b");
}

TEST(Printable, EscapesEachByteThatIsNoUtf8) {
  EXPECT_EQ(printable("a\xff\xfe z"), "a\\xff\\xfe z");
  EXPECT_EQ(printable("cut \xe6\x9d"), "cut \\xe6\\x9d");
  EXPECT_EQ(printable("\xc0\x80 is an overlong zero"), "\\xc0\\x80 is an overlong zero");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half a surrogate pair";
}

TEST(Printable, CutsLongNamesInTheMiddle) {
  EXPECT_EQ(printable("0123456789", 10), "0123456789");
  EXPECT_EQ(printable("0123456789X", 10), "0123...89X");
  EXPECT_EQ(printable("äöüäöüäöüäöü", 9), "äöü...äöü") << "characters, not bytes";
}

TEST(Printable, NeverCutsThroughAnEscape) {
  EXPECT_EQ(printable("a\nbcdefg\xff", 9), "a...") << "no escape fits";
  EXPECT_EQ(printable("a\nbcdefg\xff", 12), "a...\\xff");
}

TEST(AsUtf8, EscapesOnlyWhatIsNoUtf8) {
  EXPECT_EQ(as_utf8("a\n\xff\u202E 李"), "a\n\\xff\u202E 李");
}

TEST(CharacterCount, CountsCharacters) {
  EXPECT_EQ(character_count(""), 0U);
  EXPECT_EQ(character_count("aä李"), 3U);
}

}  // namespace
}  // namespace somnus
