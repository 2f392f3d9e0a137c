#include "fluid/gps.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "harness/fluids_in_seconds.hpp"

namespace somnus {
namespace {

using harness::GpsInSeconds;

constexpr double exact = 1e-12;

// Figures 2 and 3 of the CFQ paper: three slots; job 1 is one task of 9 s, job 2 four of 4 s, both
// at 0; job 3 is two tasks of 4 s, at 4.
class Figure2 : public ::testing::Test {
 protected:
  GpsInSeconds gps_{3};
  double finish_1_ = gps_.arrive(1, 0, 9);
  double finish_2_ = gps_.arrive(2, 0, 16);
  std::vector<Gps::Departure> left_;

  void advance(double now) {
    gps_.advance(now, [&](const Gps::Departure& departure) { left_.push_back(departure); });
  }
};

TEST_F(Figure2, VirtualFinishTimesAreNineSixteenAndFourteen) {
  EXPECT_NEAR(finish_1_, 9, exact);
  EXPECT_NEAR(finish_2_, 16, exact);
  EXPECT_NEAR(gps_.arrive(3, 4, 8), 14, exact);
}

TEST_F(Figure2, VirtualTimeGrowsByThreeHalvesThenOneThenThreeHalvesThenThree) {
  advance(2);
  EXPECT_NEAR(gps_.virtual_time(), 3, exact);
  advance(4);
  EXPECT_NEAR(gps_.virtual_time(), 6, exact);
  gps_.arrive(3, 4, 8);
  advance(5);
  EXPECT_NEAR(gps_.virtual_time(), 7, exact);
  EXPECT_EQ(gps_.active(), 3U);
  advance(7);
  EXPECT_NEAR(gps_.virtual_time(), 9, exact);
  EXPECT_EQ(gps_.active(), 2U);
  advance(9);
  EXPECT_NEAR(gps_.virtual_time(), 12, exact);
  advance(31.0 / 3);
  EXPECT_NEAR(gps_.virtual_time(), 14, 1e-9) << "to the nearest nanosecond";
  advance(11);
  EXPECT_NEAR(gps_.virtual_time(), 16, exact);
  EXPECT_EQ(gps_.active(), 0U);
}

TEST_F(Figure2, TheFluidEndsJobOneAtSevenJobThreeAtThirtyOneThirdsAndJobTwoAtEleven) {
  gps_.arrive(3, 4, 8);
  advance(100);
  ASSERT_EQ(left_.size(), 3U);
  EXPECT_EQ(left_[0].job, 1U);
  EXPECT_NEAR(left_[0].time, 7, exact);
  EXPECT_EQ(left_[1].job, 3U);
  EXPECT_NEAR(left_[1].time, 31.0 / 3, exact);
  EXPECT_EQ(left_[2].job, 2U);
  EXPECT_NEAR(left_[2].time, 11, exact);
}

}  // namespace
}  // namespace somnus
