#include "base/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "harness/property.hpp"

namespace somnus {
namespace {

using harness::check_law;
using std::chrono::nanoseconds;

TEST(Histogram, GivesEveryQuantileToWithinThreePercentAndNeverTooLow) {
  check_law({.cases = 200}, [] {
    auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(rc::gen::mapcat(
        rc::gen::inRange(0, 62),
        [](int bits) { return rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << bits); })));
    const auto histogram = std::make_unique<Histogram>();
    for (const std::int64_t value : values) histogram->add(nanoseconds(value));
    std::sort(values.begin(), values.end());
    for (const double q : {0.0, 0.25, 0.5, 0.9, 0.99, 1.0}) {
      const auto rank = static_cast<std::size_t>(q * static_cast<double>(values.size() - 1));
      const auto exact = static_cast<double>(values[rank]);
      const auto found = static_cast<double>(histogram->quantile(q).count());
      RC_ASSERT(found >= exact);
      RC_ASSERT(found <= exact * (1 + 1.0 / 32));
    }
    RC_ASSERT(histogram->count() == values.size());
    RC_ASSERT(histogram->most() == nanoseconds(values.back()));
    RC_ASSERT(histogram->quantile(1) == histogram->most());
  });
}

TEST(Histogram, IsExactForTheFirstSixtyFourNanoseconds) {
  for (std::int64_t value = 0; value < 64; ++value) {
    Histogram histogram;
    histogram.add(nanoseconds(value));
    histogram.add(nanoseconds(1'000'000));
    EXPECT_EQ(histogram.quantile(0), nanoseconds(value));
  }
}

TEST(Histogram, CountsANegativeValueAsZero) {
  Histogram histogram;
  histogram.add(nanoseconds(-5));
  EXPECT_EQ(histogram.count(), 1U);
  EXPECT_EQ(histogram.quantile(0.5), nanoseconds(0));
}

TEST(Histogram, WithoutValuesSaysZero) {
  const Histogram histogram;
  EXPECT_EQ(histogram.quantile(0.5), nanoseconds(0));
  EXPECT_EQ(histogram.most(), nanoseconds(0));
}

}  // namespace
}  // namespace somnus
