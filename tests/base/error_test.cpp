#include "base/error.hpp"

#include <gtest/gtest.h>

namespace somnus {
namespace {

TEST(Mistake, ReadsAsPlaceKeyWhatAndHint) {
  const Mistake mistake{.location = {.file = "run.toml", .line = 3, .column = 7},
                        .key = "cluster.nodes",
                        .what = "is -1, must be at least 1",
                        .hint = "did you mean 1?"};
  EXPECT_EQ(mistake.text(),
            "run.toml:3:7: cluster.nodes: is -1, must be at least 1; did you mean 1?");
}

TEST(Mistake, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ((Mistake{.location = {.file = "run.toml"}, .what = "is empty"}.text()),
            "run.toml: is empty");
}

TEST(Mistakes, AreListedInOrderOneALine) {
  Mistakes first;
  first.add({.location = {"a", 1, 1}, .what = "x"});
  Mistakes second;
  second.add({.location = {"a", 2, 1}, .what = "y"});
  first.append(second);
  ASSERT_EQ(first.list().size(), 2U);
  EXPECT_EQ(first.text(), first.list()[0].text() + "\n" + first.list()[1].text());
}

TEST(Mistakes, AreReportedOnceThoughTheInputIsReadForSeveralRuns) {
  Mistakes first;
  first.add({.location = {"a", 1, 1}, .key = "k", .what = "x"});
  Mistakes second;
  second.add({.location = {"a", 1, 1}, .key = "k", .what = "x"});
  second.add({.location = {"b", 1, 1}, .key = "k", .what = "x"});
  first.append(second);
  EXPECT_EQ(first.text(), "a:1:1: k: x\nb:1:1: k: x");
}

TEST(Mistakes, OfTheUserTravelAsOneException) {
  const Checked<int> wrong = mistake({.location = {"a", 1, 2}, .what = "no"});
  try {
    EXPECT_EQ(value_or_throw(wrong), 0);
    FAIL() << "it went through";
  } catch (const UserError& error) {
    EXPECT_EQ(error.mistakes().list().size(), 1U);
    EXPECT_STREQ(error.what(), "a:1:2: no");
  }
  EXPECT_EQ(value_or_throw(Checked<int>(7)), 7);
}

TEST(Check, ThrowsABugThatSaysWhatItMeans) {
  const int slots = 3;
  EXPECT_NO_THROW(SOMNUS_CHECK(slots == 3, "{} slots", slots));
  try {
    SOMNUS_CHECK(slots == 4, "{} slots where 4 were promised", slots);
    FAIL() << "it went through";
  } catch (const Bug& bug) {
    EXPECT_NE(std::string(bug.what()).find("3 slots where 4 were promised"), std::string::npos);
  }
}

}  // namespace
}  // namespace somnus
