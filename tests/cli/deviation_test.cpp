#include "emulator/summary/deviation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

namespace somnus {
namespace {

TEST(Deviation, TakesTheMeansOfTheLateAndOfTheEarlyApart) {
  DeviationSum sum;
  for (const double one : {0.5, -0.25, 1.5, -0.75, -0.5}) sum.add(one);
  const Deviation all = sum.result();
  EXPECT_EQ(all.compared, 5);
  EXPECT_DOUBLE_EQ(all.dvr, 1);
  EXPECT_EQ(all.violations, 2);
  EXPECT_DOUBLE_EQ(all.dsr, 0.5);
  EXPECT_EQ(all.slack, 3);
  EXPECT_DOUBLE_EQ(all.worst, 1.5);
}

TEST(Deviation, CountsJobsThatEndTogetherAsSlack) {
  DeviationSum sum;
  for (const double one : {0.0, 1e-9, -1e-9}) sum.add(one);
  EXPECT_EQ(sum.result().violations, 0);
  EXPECT_EQ(sum.result().slack, 3);
  EXPECT_EQ(sum.result().dsr, 0);
  EXPECT_EQ(sum.result().worst, 0);
  EXPECT_TRUE(std::isnan(sum.result().dvr));
  sum.add(1.1e-9);
  EXPECT_EQ(sum.result().violations, 1);
}

TEST(Deviation, HasAWorstEvenIfNobodyIsLate) {
  DeviationSum sum;
  sum.add(-0.5);
  sum.add(-0.25);
  EXPECT_DOUBLE_EQ(sum.result().worst, -0.25);
}

TEST(Deviation, HasNoMeansOfNothing) {
  const Deviation nothing = DeviationSum().result();
  EXPECT_EQ(nothing.compared, 0);
  EXPECT_EQ(nothing.violations, 0);
  EXPECT_TRUE(std::isnan(nothing.dvr));
  EXPECT_TRUE(std::isnan(nothing.dsr));
  EXPECT_TRUE(std::isnan(nothing.worst));
}

TEST(Deviation, WeighsWhatCountsSeveralTimes) {
  DeviationSum sum;
  sum.add(1, 3);
  sum.add(2);
  EXPECT_DOUBLE_EQ(sum.result().dvr, 1.25);
  EXPECT_EQ(sum.result().violations, 4);
}

/// user_1 to user_25, and the number of jobs of each: 97 in all.
struct MacroBenchmark {
  std::vector<std::string> users;
  std::vector<int> jobs = {1, 0, 1, 0,  3,  0, 3, 11, 1, 8, 2, 5, 2,
                           2, 1, 7, 23, 14, 1, 1, 4,  2, 1, 1, 3};

  MacroBenchmark() {
    for (int at = 1; at <= 25; ++at) users.push_back(fmt::format("user_{}", at));
  }
  double counted(Counting counting) const {
    double sum = 0;
    for (std::size_t at = 0; at < users.size(); ++at) {
      sum += jobs[at] * multiplicity(counting, users[at], users);
    }
    return sum;
  }
};

TEST(Multiplicity, CountsTheJobsOfThePapersMacroBenchmarkAsItsTablesDo) {
  const MacroBenchmark benchmark;
  EXPECT_EQ(benchmark.counted(Counting::jobs), 97);
  EXPECT_EQ(benchmark.counted(Counting::uwfq_macro), 174);  // 83 + 91 in Table 2
  EXPECT_EQ(benchmark.counted(Counting::uwfq_micro), 194);
}

TEST(Multiplicity, OfTheMacroTableCountsTheUsersWhoseNameIsPartOfTheName) {
  const std::vector<std::string> users = MacroBenchmark().users;
  EXPECT_EQ(multiplicity(Counting::uwfq_macro, "user_1", users), 1);
  EXPECT_EQ(multiplicity(Counting::uwfq_macro, "user_9", users), 1);
  EXPECT_EQ(multiplicity(Counting::uwfq_macro, "user_10", users), 2);
  EXPECT_EQ(multiplicity(Counting::uwfq_macro, "user_25", users), 2);
  const std::vector<std::string> few = {"user_3", "user_25"};
  EXPECT_EQ(multiplicity(Counting::uwfq_macro, "user_25", few), 1) << "there is no user_2";
}

}  // namespace
}  // namespace somnus
