#include "model/progress_curve.hpp"

#include <gtest/gtest.h>

namespace somnus {
namespace {

using Progress = ProgressCurve::Progress;

constexpr Progress percent = ProgressCurve::whole / 100;

ProgressCurve above(const std::vector<double>& progress) { return ProgressCurve::above(progress); }

std::vector<double> percents(const ProgressCurve& curve) {
  std::vector<double> all;
  for (std::uint32_t slots = 0; slots <= curve.degree(); ++slots) {
    all.push_back(static_cast<double>(curve.at(slots)) / static_cast<double>(percent));
  }
  return all;
}

TEST(ProgressCurve, IsWhatIsGivenWhereThatIsConcave) {
  EXPECT_EQ(percents(above({0.5, 0.75, 0.9, 1})), (std::vector<double>{0, 50, 75, 90, 100}));
}

TEST(ProgressCurve, IsTheLeastConcaveOneAboveWhatIsNot) {
  EXPECT_EQ(percents(above({0.1, 0.5, 0.55, 0.7})), (std::vector<double>{0, 25, 50, 60, 70}));
  EXPECT_EQ(percents(above({0.1, 0.2, 0.6})), (std::vector<double>{0, 20, 40, 60}));
}

TEST(ProgressCurve, IsOneAtMostAndNeverFalls) {
  EXPECT_EQ(percents(above({0.8, 1.04, 0.9})), (std::vector<double>{0, 80, 100, 100}));
}

TEST(ProgressCurve, HasGainsThatNeverGrowThoughTheyAreRounded) {
  const ProgressCurve curve = above({0.1, 0.1, 1.0 / 3, 0.34, 0.35, 0.36});
  for (std::uint32_t slots = 1; slots < curve.degree(); ++slots) {
    EXPECT_LE(curve.gain_after(slots), curve.gain_after(slots - 1));
  }
  EXPECT_EQ(curve.gain_after(0), curve.gain_after(2));  // along one line they are equal
}

TEST(ProgressCurve, AddsNothingBeyondWhatItTellsOf) {
  const ProgressCurve curve = above({0.5, 0.75});
  EXPECT_EQ(curve.degree(), 2U);
  EXPECT_EQ(curve.at(100), 75 * percent);
  EXPECT_EQ(curve.gain_after(2), 0);
  EXPECT_EQ(curve.gain_after(100), 0);
}

TEST(ProgressCurve, IsUnknownUnlessItIsGiven) {
  EXPECT_FALSE(ProgressCurve().is_known());
  EXPECT_EQ(ProgressCurve().degree(), 0U);
  EXPECT_TRUE(above({1}).is_known());
}

TEST(Ernest, SaysOneOverTheTimeForTheLeastTime) {
  EXPECT_DOUBLE_EQ(ernest_progress({0.5, 0, 0, 0}, 7), 2);
  EXPECT_DOUBLE_EQ(ernest_progress({0, 0.25, 0, 0}, 2), 2);
  EXPECT_DOUBLE_EQ(ernest_progress({0, 0, 4, 0}, 2), 0.5);
  EXPECT_DOUBLE_EQ(ernest_progress({1, 0, 0, 1}, 1), 1);
  EXPECT_DOUBLE_EQ(ernest_progress({0.2119, 0, 100.9, 0}, 128), 1 / (0.2119 + 100.9 / 128));
}

}  // namespace
}  // namespace somnus
