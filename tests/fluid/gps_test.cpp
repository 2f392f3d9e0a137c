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

TEST_F(Figure2, WithoutJobThreeTheOthersEndAtSixAndTwentyFiveThirds) {
  advance(100);
  ASSERT_EQ(left_.size(), 2U);
  EXPECT_NEAR(left_[0].time, 6, exact);
  EXPECT_NEAR(left_[1].time, 25.0 / 3, exact);
}

TEST_F(Figure2, VirtualTimeRestsWhileTheFluidIsEmptyAndIsNotReset) {
  advance(50);
  EXPECT_NEAR(gps_.virtual_time(), 16, exact);
  EXPECT_NEAR(gps_.arrive(3, 60, 8), 24, exact);
  advance(61);
  EXPECT_NEAR(gps_.virtual_time(), 19, exact);
}

// Four slots; job 1 of weight 1 and 8 slot-seconds, job 2 of weight 3 and 12.
TEST(GpsWeights, AJobOfWeightThreeIsServedThreeTimesAsFast) {
  GpsInSeconds gps(4);
  EXPECT_NEAR(gps.arrive(1, 0, 8, 1), 8, exact);
  EXPECT_NEAR(gps.arrive(2, 0, 12, 3), 4, exact);
  gps.advance(2);
  EXPECT_NEAR(gps.virtual_time(), 2, exact);
  std::vector<Gps::Departure> left;
  gps.advance(4.5, [&](const Gps::Departure& departure) { left.push_back(departure); });
  EXPECT_NEAR(gps.virtual_time(), 6, exact);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].job, 2U);
  EXPECT_NEAR(left[0].time, 4, exact);
  gps.advance(10, [&](const Gps::Departure& departure) { left.push_back(departure); });
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[1].job, 1U);
  EXPECT_NEAR(left[1].time, 5, exact);
}

TEST(GpsFinishTimes, AreInTheOrderOfTheJobs) {
  const std::vector<FluidJob> jobs{{0, 9}, {0, 16}, {4, 8}};
  const auto ends = gps_finish_times(3, jobs);
  ASSERT_EQ(ends.size(), 3U);
  EXPECT_NEAR(ends[0], 7, exact);
  EXPECT_NEAR(ends[1], 11, exact);
  EXPECT_NEAR(ends[2], 31.0 / 3, exact);
}

TEST(GpsFinishTimes, AreReportedThoughAnArrivalFallsOnThem) {
  const std::vector<FluidJob> jobs{{2, 3, 0.25}, {6.5, 2, 7}, {7, 3, 2}};
  const auto ends = gps_finish_times(4, jobs);
  EXPECT_NEAR(ends[0], 2.75, exact);
  EXPECT_NEAR(ends[1], 7, exact);
  EXPECT_NEAR(ends[2], 7.75, exact);
}

TEST(GpsFinishTimes, OfAJobWithoutWorkIsItsSubmission) {
  const std::vector<FluidJob> jobs{{2, 0}, {2, 4}};
  const auto ends = gps_finish_times(1, jobs);
  EXPECT_NEAR(ends[0], 2, exact);
  EXPECT_NEAR(ends[1], 6, exact);
}

}  // namespace
}  // namespace somnus
