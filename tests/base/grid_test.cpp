#include "base/grid.hpp"

#include <gtest/gtest.h>

namespace somnus {
namespace {

using namespace std::chrono_literals;

TEST(Grid, SumsOfThirdsAndSeventhsMeetTheWholeNumberThatTheyAre) {
  Quad sum = 0;
  for (int step = 0; step < 21'000; ++step) sum += Quad{1'000'000'007} / 21;
  EXPECT_EQ(on_grid(sum), on_grid(Quad{1'000'000'007} * 1000));
}

TEST(Grid, ADifferenceOfATenThousandthOfANanosecondIsOne) {
  const Quad later = Quad{1e18} + Quad{1} / 10'000;
  EXPECT_LT(on_grid(Quad{1e18}), on_grid(later));
}

// With borders half way between, 2^-17 ns would be one of them.
TEST(Grid, FractionsOfPowersOfTwoAreNotOnABorder) {
  const Quad dust = Quad{1} / (Wide{1} << 40);
  for (int power = 0; power < 24; ++power) {
    const Quad fraction = 5 + Quad{1} / (1 << power);
    EXPECT_EQ(on_grid(fraction - dust), on_grid(fraction + dust)) << power;
  }
}

TEST(Grid, WhatIsFartherThanAnythingStandsAtItsEnd) {
  EXPECT_EQ(on_grid(Quad{1e300} * Quad{1e300}), on_grid(Quad{1e60}));
}

TEST(Billionths, OfDecimalsAreWhole) {
  EXPECT_EQ(billionths(0.1) + billionths(0.2), billionths(0.3));
  EXPECT_EQ(7 * billionths(0.1), billionths(0.7));
  EXPECT_EQ(billionths(1e-12), 1) << "none is without weight";
}

TEST(Ratio, IsComparedWithoutRounding) {
  const Ratio<std::int64_t> third{1, 3};
  const Ratio<std::int64_t> sixths{2, 6};
  const Ratio<std::int64_t> more{(std::int64_t{1} << 40) / 3 + 1, std::int64_t{1} << 40};
  EXPECT_FALSE(third < sixths || sixths < third);
  EXPECT_LT(third, more);
}

TEST(FineWork, OfAllTasksIsTheWorkOfTheirStage) {
  for (const std::uint32_t tasks : {1U, 3U, 7U, 1000U, 999'999U}) {
    const FineWork all = tasks * FineWork::mean(500ms, tasks);
    EXPECT_EQ(all.on_grid(), FineWork::mean(500ms, 1).on_grid()) << tasks;
    EXPECT_EQ(all.whole_ns(), 500ms) << tasks;
  }
}

}  // namespace
}  // namespace somnus
