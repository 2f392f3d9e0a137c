// Deep texts are refused before any reader recurses into them, and of many mistakes some are shown.
#include <gmock/gmock.h>

#include "config/check.hpp"

namespace somnus::test {
namespace {

std::string repeated(std::string_view piece, int times) {
  std::string text;
  for (int at = 0; at < times; ++at) text += piece;
  return text;
}

TEST(Nesting, OfManyNamesIsRefusedWithItsPlace) {
  const std::string key = "a" + repeated(".a", 100'000);
  const std::string refusal = "a.toml:2: expected a key of at most 32 names";
  for (const std::string& line : {"  " + key + " = 1", "[" + key + "]", "  [" + key + "]",
                                  "x = {" + key + " = 1}", "\"=\\\"\"." + key + " = 1"}) {
    EXPECT_EQ(mistakes_in("[run]\n" + line + "\n"), refusal);
  }
  EXPECT_THAT(mistakes_in(least, {key + "=1"}), testing::HasSubstr("expected table.key=value"));
}

TEST(Nesting, OfBracketsIsRefusedWithItsPlace) {
  EXPECT_THAT(mistakes_in("x = " + repeated("[", 1'000'000)), testing::StartsWith("a.toml:1:"));
  EXPECT_THAT(mistakes_in("x = " + repeated("{a = ", 1'000'000)), testing::StartsWith("a.toml:1:"));
  EXPECT_THAT(mistakes_in(least, {"run.seed=" + repeated("[", 100'000)}),
              testing::HasSubstr("run.seed: expected a whole number"));
}

TEST(Nesting, IsNotThatOfValuesTextsAndComments) {
  const std::string many = repeated("1.5, ", 1000);
  EXPECT_THAT(mistakes_in("x = [\n" + many + "\n]\ny = \"" + many + "\"\n# " + many +
                          repeated(".", 100) + "\n"),
              testing::Not(testing::HasSubstr("names")));
}

TEST(ManyMistakes, AreShownUpToAHundred) {
  std::string toml(least);
  for (int at = 0; at < 20'000; ++at) toml += fmt::format("[t{}]\n", at);
  const std::string text = mistakes_in(toml);
  EXPECT_EQ(std::ranges::count(text, '\n'), 100);
  EXPECT_THAT(text, testing::StartsWith("a.toml:10:2: t0: unknown table"));
  EXPECT_THAT(text, testing::EndsWith("\nand 19900 more mistakes"));
}

TEST(ManyMistakes, OfGroupsOfOneNameAreFoundAtOnce) {
  std::string toml = "[scheduler]\npolicy = \"cfq\"\n[workload]\nfile = \"jobs.jsonl\"\n";
  for (int at = 0; at < 20'000; ++at) {
    toml += "[[cluster.group]]\nname = \"a\"\ncount = 1\nslots_per_node = 1\n";
  }
  EXPECT_THAT(mistakes_in(toml), testing::EndsWith("\nand 19899 more mistakes"));
}

}  // namespace
}  // namespace somnus::test
