#include "slurm_conf/statements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace somnus::slurm_conf {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

struct Read {
  std::vector<std::string> settings;  // line:column key=value, | between statements
  Mistakes mistakes;
};

Read read(const std::string& text) {
  const TextFile file = value_or_throw(TextFile::decode("slurm.conf", text));
  MistakeCollector mistakes(file.name());
  Read found;
  for (const Statement& statement : read_statements(file, mistakes)) {
    for (const Setting& one : statement) {
      found.settings.push_back(
          fmt::format("{}:{} {}={}", one.line, one.column, one.key, one.value));
    }
    found.settings.emplace_back("|");
  }
  found.mistakes = std::move(mistakes).take();
  return found;
}

TEST(SlurmStatements, OneALineOrSeveral) {
  EXPECT_THAT(read("# all\nA=1 # one\n\n  NodeName=n[1-2] CPUs=4\n").settings,
              ElementsAre("2:1 A=1", "|", "4:3 NodeName=n[1-2]", "4:19 CPUs=4", "|"));
}

TEST(SlurmStatements, ABackslashJoinsLinesAndWords) {
  EXPECT_THAT(read("Parameters=a=1,\\\nb=2 More=3\\\n  Last=4\n").settings,
              ElementsAre("1:1 Parameters=a=1,b=2", "2:5 More=3", "3:3 Last=4", "|"));
  EXPECT_THAT(read("A=1 \\").settings, ElementsAre("1:1 A=1", "|"));
}

TEST(SlurmStatements, QuotesKeepBlanks) {
  EXPECT_THAT(read("Reason=\"will be replaced\" State=DOWN").settings,
              ElementsAre("1:1 Reason=will be replaced", "1:27 State=DOWN", "|"));
  EXPECT_THAT(read("A=a\\#b").settings, ElementsAre("1:1 A=a\\#b", "|"));
}

TEST(SlurmStatements, IncludesAreSettings) {
  EXPECT_THAT(read("Include /etc/slurm/nodes.conf").settings,
              ElementsAre("1:1 Include=/etc/slurm/nodes.conf", "|"));
}

TEST(SlurmStatements, BlanksMayStandAroundTheEqualsSign) {
  EXPECT_THAT(read("NodeName = n1\tCPUs= 4 Port =5").settings,
              ElementsAre("1:1 NodeName=n1", "1:15 CPUs=4", "1:23 Port=5", "|"));
}

TEST(SlurmStatements, ABackslashMayHaveBlanksOrACommentBehindIt) {
  EXPECT_THAT(read("A=1,\\  # why\nb=2\nC=3 \\ \nD=4").settings,
              ElementsAre("1:1 A=1,b=2", "|", "3:1 C=3", "4:1 D=4", "|"));
}

TEST(SlurmStatements, AnApostropheIsNoQuote) {
  EXPECT_THAT(read("Reason=Bob's State=DOWN").settings,
              ElementsAre("1:1 Reason=Bob's", "1:14 State=DOWN", "|"));
}

TEST(SlurmStatements, WhatHasNoValueIsAMistake) {
  EXPECT_EQ(read("A=1 B\n=3\nReason=\"abc State=DOWN\n").mistakes.text(),
            "slurm.conf:1:5: B: expected KEY=VALUE, found no equals sign behind a key\n"
            "slurm.conf:2:1: =3: expected KEY=VALUE, found no equals sign behind a key\n"
            "slurm.conf:3:1: Reason: expected a second quote, found none");
}

TEST(SlurmStatements, OtherBytesThanTextAreMistakesBeyondComments) {
  EXPECT_EQ(read("A=1 # J\xfcrgen\n").mistakes.text(), "");
  for (const char* const line : {"A=\xff", "A=a\x01z", "A=a\x7f", "A=a\rb"}) {
    EXPECT_EQ(read(line).mistakes.text(),
              "slurm.conf:1: expected text in UTF-8, found other bytes");
  }
}

TEST(SlurmHosts, RangesAndLists) {
  EXPECT_THAT(hosts_of("n[01-03,7]"), Optional(ElementsAre("n01", "n02", "n03", "n7")));
  EXPECT_THAT(hosts_of("a,b[9-10]x,c"), Optional(ElementsAre("a", "b9x", "b10x", "c")));
  EXPECT_THAT(hosts_of("r[1-2]n[1-2]"), Optional(ElementsAre("r1n1", "r1n2", "r2n1", "r2n2")));
  for (const char* const wrong : {"", ",", "n[", "n]", "n[1-", "n[3-1]", "n[]", "n[a-b]", "n]1[",
                                  "n[0-9999999]", "n[0-999][0-9999]", "n[0000000000-9]"}) {
    EXPECT_EQ(hosts_of(wrong), std::nullopt) << wrong;
  }
}

TEST(SlurmTimes, AsItsManualHasThem) {
  EXPECT_THAT(seconds_of("90"), Optional(5400.0));
  EXPECT_THAT(seconds_of("1:30"), Optional(90.0));
  EXPECT_THAT(seconds_of("1:00:01"), Optional(3601.0));
  EXPECT_THAT(seconds_of("7-0"), Optional(604800.0));
  EXPECT_THAT(seconds_of("1-12:30"), Optional(131400.0));
  EXPECT_THAT(seconds_of("1-12:30:15"), Optional(131415.0));
  for (const char* const wrong : {"", "a", "1-", "-1", "1:2:3:4", "1.5", "UNLIMITED"}) {
    EXPECT_EQ(seconds_of(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace somnus::slurm_conf
