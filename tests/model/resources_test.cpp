#include "model/resources.hpp"

#include <gtest/gtest.h>

#include "harness/builders.hpp"

namespace somnus {
namespace {

using harness::amounts;

TEST(Resources, AMillionTakesAndGivesEndWhereTheyBegan) {
  const Resources node = amounts({20, 128});
  const Resources demand = amounts({0.1, 0.3});
  Resources free = node;
  for (int round = 0; round < 1'000'000; ++round) {
    free -= demand;
    free += demand;
  }
  EXPECT_EQ(free, node);
  for (int task = 0; task < 200; ++task) free -= demand;  // 200 * 0.1 is all of 20, exactly
  EXPECT_EQ(free, amounts({0, 68}));
}

TEST(Resources, FitOnlyIfEveryKindDoes) {
  EXPECT_TRUE(amounts({2, 3}).fits_in(amounts({2, 3})));
  EXPECT_FALSE(amounts({2.000001, 3}).fits_in(amounts({2, 3})));
  EXPECT_FALSE(amounts({0, 3.000001}).fits_in(amounts({2, 3})));
  EXPECT_TRUE(Resources().fits_in(Resources()));
}

TEST(Resources, AreKeptToAMillionth) {
  EXPECT_DOUBLE_EQ(amounts({0.1234567}).amount(0), 0.123457);
  EXPECT_DOUBLE_EQ(amounts({0, 1e12}).amount(1), 1e12);
  EXPECT_TRUE(amounts({4e-7}).zero());
  EXPECT_EQ(amounts({0, 0.1}).millionths()[1], 100'000);
}

}  // namespace
}  // namespace somnus
