// A text with too deep nesting is refused with its location, before any reader recurses into it.
#include <gmock/gmock.h>

#include "config/check.hpp"
#include "config/nesting.hpp"

namespace somnus::test {
namespace {

std::string repeated(std::string_view piece, int times) {
  std::string text;
  for (int at = 0; at < times; ++at) text += piece;
  return text;
}

std::string refusal(const std::string& toml) {
  const auto mistake = too_deep(toml, "a.toml");
  return mistake ? mistake->text() : "";
}

TEST(Nesting, OfFourteenThousandPartsIsRefusedWithItsPlace) {
  const std::string key = "a" + repeated(".a", 13'999);
  EXPECT_EQ(mistakes_in("[run]\n  " + key + " = 1\n"),
            "a.toml:2:3: expected at most 16 names with dots between");
  EXPECT_EQ(mistakes_in("[" + key + "]\n"),
            "a.toml:1:2: expected at most 16 names with dots between");
  EXPECT_EQ(mistakes_in("x = { y = 1, " + key + " = 2 }\n"),
            "a.toml:1:14: expected at most 16 names with dots between");
}

TEST(Nesting, OfOverridesIsRefusedToo) {
  const std::string key = "a" + repeated(".a", 13'999);
  EXPECT_THAT(mistakes_in(least, {key + "=1"}), testing::HasSubstr("expected table.key=value"));
  EXPECT_THAT(mistakes_in(least, {"run.seed=" + repeated("[", 100'000)}),
              testing::HasSubstr("run.seed: expected a whole number"));
}

TEST(Nesting, OfBracketsIsRefusedWithItsPlace) {
  EXPECT_EQ(mistakes_in("\nx = " + repeated("[", 20) + repeated("]", 20)),
            "a.toml:2:21: expected at most 16 brackets in each other");
  EXPECT_EQ(mistakes_in("x = " + repeated("{a = ", 1'000'000)),
            "a.toml:1:85: expected at most 16 brackets in each other");
  EXPECT_EQ(mistakes_in("x = " + repeated("[\n", 1'000'000)),
            "a.toml:17:1: expected at most 16 brackets in each other");
}

TEST(Nesting, GoesAsDeepAsItMay) {
  EXPECT_EQ(refusal("x = " + repeated("[", 16) + repeated("]", 16)), "");
  EXPECT_EQ(refusal("a" + repeated(".a", 15) + " = 1"), "");
  EXPECT_NE(refusal("a" + repeated(".a", 16) + " = 1"), "");
}

TEST(Nesting, IsNotThatOfTextsCommentsAndNumbers) {
  const std::string many = repeated("[a.", 100);
  EXPECT_EQ(refusal("x = \"" + many + "\\\"" + many + "\"\n"), "");
  EXPECT_EQ(refusal("x = '" + many + "'\ny = [\"" + many + "\",\n '" + many + "']\n"), "");
  EXPECT_EQ(refusal("x = \"\"\"\n" + many + "\n\"" + many + "\"\"\"\ny = 1"), "");
  EXPECT_EQ(refusal("x = '''\n" + many + "\n'" + many + "'''\ny = 1"), "");
  EXPECT_EQ(refusal("# " + many + "\nx = 1 # " + many + "\n"), "");
  EXPECT_EQ(refusal("x = [" + repeated("1.5,\n", 10'000) + "]\n"), "");
  EXPECT_EQ(refusal(repeated("[a]\n", 1000) + repeated("[[b]]\n", 1000)), "");
}

TEST(Nesting, OfAKeyThatIsTooLongIsRefusedAsAllBelowBearsItsName) {
  const std::string long_name = repeated("n", 1001);
  EXPECT_EQ(refusal("\n[" + long_name + "]\nx = 1\n"),
            "a.toml:2:2: expected a key of at most 1000 bytes");
  EXPECT_EQ(refusal("\"" + long_name + "\" = 1\n"),
            "a.toml:1:1: expected a key of at most 1000 bytes");
  EXPECT_EQ(refusal("x = \"" + long_name + "\"\ny = [\"" + long_name + "\"]\n"), "");
}

TEST(Nesting, ThatIsNeverClosedIsTheParsersToRefuse) {
  EXPECT_EQ(refusal("x = \""), "");
  EXPECT_EQ(refusal("x = \"\"\"\\"), "");
  EXPECT_EQ(refusal("x = [[[\n"), "");
  EXPECT_THAT(mistakes_in("x = \"\n"), testing::StartsWith("a.toml:1:"));
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
