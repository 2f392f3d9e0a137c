#include "metrics/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace somnus {
namespace {

/// 1 to n, the largest first.
Sample countdown(int n) {
  Sample sample;
  for (int value = n; value > 0; --value) sample.add(value);
  sample.sort();
  return sample;
}

TEST(Sample, HasNoWorstTenthBelowTenValues) {
  EXPECT_TRUE(std::isnan(countdown(0).worst_tenth()));
  EXPECT_TRUE(std::isnan(countdown(9).worst_tenth()));
  EXPECT_DOUBLE_EQ(countdown(10).worst_tenth(), 10);
}

TEST(Sample, RoundsTheNumberOfTheWorstDown) {
  EXPECT_DOUBLE_EQ(countdown(19).worst_tenth(), 19);
  EXPECT_DOUBLE_EQ(countdown(20).worst_tenth(), 19.5);
  EXPECT_DOUBLE_EQ(countdown(39).worst_tenth(), 38);
}

TEST(Sample, DeviatesAsAPopulation) {
  EXPECT_DOUBLE_EQ(countdown(5).standard_deviation(), std::sqrt(2.0));
  EXPECT_EQ(countdown(1).standard_deviation(), 0);
  EXPECT_TRUE(std::isnan(countdown(0).standard_deviation()));
}

TEST(Sample, CutsTwentyValuesAtSixteenAndNineteen) {
  const Sample sample = countdown(20);
  EXPECT_DOUBLE_EQ(sample.mean_between(0, 80), 8.5);
  EXPECT_DOUBLE_EQ(sample.mean_between(80, 95), 18);
  EXPECT_DOUBLE_EQ(sample.mean_between(95, 100), 20);
}

TEST(Sample, RoundsTheEndsOfItsGroupsDown) {
  const Sample sample = countdown(97);  // 77.6 and 92.15
  EXPECT_DOUBLE_EQ(sample.mean_between(0, 80), 39);
  EXPECT_DOUBLE_EQ(sample.mean_between(80, 95), (78.0 + 92) / 2);
  EXPECT_DOUBLE_EQ(sample.mean_between(95, 100), (93.0 + 97) / 2);
}

TEST(Sample, PutsASingleValueIntoTheLastGroup) {
  const Sample sample = countdown(1);
  EXPECT_TRUE(std::isnan(sample.mean_between(0, 80)));
  EXPECT_TRUE(std::isnan(sample.mean_between(80, 95)));
  EXPECT_DOUBLE_EQ(sample.mean_between(95, 100), 1);
}

TEST(Sample, SharesEqualValuesOutByPlace) {
  Sample sample;
  for (int at = 0; at < 20; ++at) sample.add(at < 2 ? 1 : 7);
  sample.sort();
  EXPECT_DOUBLE_EQ(sample.mean_between(0, 80), (2 * 1 + 14 * 7) / 16.0);
  EXPECT_DOUBLE_EQ(sample.mean_between(80, 95), 7);
  EXPECT_DOUBLE_EQ(sample.worst_tenth(), 7);
}

TEST(Sample, LeavesOutWhatIsNoNumber) {
  Sample sample = countdown(10);
  sample.add(NAN);
  sample.sort();
  EXPECT_EQ(sample.count(), 10);
  EXPECT_DOUBLE_EQ(sample.mean(), 5.5);
  EXPECT_DOUBLE_EQ(sample.largest(), 10);
}

}  // namespace
}  // namespace somnus
