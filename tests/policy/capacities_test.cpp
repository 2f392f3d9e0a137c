#include "policy/capacities.hpp"

#include <gtest/gtest.h>

namespace somnus {
namespace {

using Entries = std::vector<Capacities::Entry>;

Entries entries(std::string_view text) {
  const auto parsed = Capacities::parse(text);
  if (parsed) return parsed->entries;
  ADD_FAILURE() << parsed.error();
  return {};
}

std::string fault(std::string_view text) {
  const auto parsed = Capacities::parse(text);
  if (parsed) return "";
  const std::string expected = "expected queues with their capacities, such as \"A 70, B 30\"; ";
  EXPECT_TRUE(parsed.error().starts_with(expected)) << parsed.error();
  return parsed.error().substr(expected.size());
}

TEST(Capacities, AreNamesWithNumbersBetweenCommas) {
  EXPECT_EQ(entries("A 70, B 30"), (Entries{{"A", 70}, {"B", 30}}));
  EXPECT_EQ(entries("  A\t0.7,B 3e-1 "), (Entries{{"A", 0.7}, {"B", 0.3}}));
  EXPECT_EQ(entries("default 1"), (Entries{{"default", 1}}));
}

TEST(Capacities, OfNoQueueAreEmpty) {
  EXPECT_EQ(entries(""), Entries());
  EXPECT_EQ(entries(" \n"), Entries());
}

TEST(Capacities, MayHaveNamesOfSeveralWords) {
  EXPECT_EQ(entries("ad hoc 7 70, night 30"), (Entries{{"ad hoc 7", 70}, {"night", 30}}));
  EXPECT_EQ(entries("ann's 70, B\"s 30"), (Entries{{"ann's", 70}, {"B\"s", 30}}));
}

TEST(Capacities, MayHaveAnyNameInQuotes) {
  EXPECT_EQ(entries("'a, b' 70, \"it's\" 30"), (Entries{{"a, b", 70}, {"it's", 30}}));
  EXPECT_EQ(entries("'' 1, ' ' 2, '\"'3"), (Entries{{"", 1}, {" ", 2}, {"\"", 3}}));
}

TEST(Capacities, SayWhatIsWrong) {
  EXPECT_EQ(fault("A"), "'A' is not a name and a number");
  EXPECT_EQ(fault("A 70, , B 30"), "'' is not a name and a number");
  EXPECT_EQ(fault("A 70,"), "nothing follows the last comma");
  EXPECT_EQ(fault("A 70%"), "the capacity of 'A' must be a number above 0, not '70%'");
  EXPECT_EQ(fault("A 0"), "the capacity of 'A' must be a number above 0, not '0'");
  EXPECT_EQ(fault("A -1"), "the capacity of 'A' must be a number above 0, not '-1'");
  EXPECT_EQ(fault("A inf"), "the capacity of 'A' must be a number above 0, not 'inf'");
  EXPECT_EQ(fault("A nan"), "the capacity of 'A' must be a number above 0, not 'nan'");
  EXPECT_EQ(fault("'A'"), "the capacity of 'A' must be a number above 0, not ''");
  EXPECT_EQ(fault("'A' 7 0"), "the capacity of 'A' must be a number above 0, not '7 0'");
  EXPECT_EQ(fault("A 70, 'B 30"), "'B 30 is not closed");
  EXPECT_EQ(fault("A 70, 'A' 30"), "'A' is there twice");
}

TEST(Capacities, AreFoundByName) {
  const Capacities capacities{.entries = {{"A", 70}, {"B", 30}}};
  ASSERT_NE(capacities.find("B"), nullptr);
  EXPECT_EQ(capacities.find("B")->capacity, 30);
  EXPECT_EQ(capacities.find("C"), nullptr);
}

}  // namespace
}  // namespace somnus
