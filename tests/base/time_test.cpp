#include "base/time.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <concepts>

#include "base/describe.hpp"
#include "harness/property.hpp"

namespace somnus {
namespace {

using harness::check_law;

template <class Clock>
concept CanBeAsked = requires { Clock::now(); };
static_assert(!CanBeAsked<EmulatedTime>);

constexpr auto longest = static_cast<std::int64_t>(longest_exact_seconds * 1e9);

TEST(Time, SurvivesTheWayThroughSecondsToTheNanosecond) {
  check_law({.cases = 2000}, [] {
    const auto count = *rc::gen::mapcat(rc::gen::inRange(1, 53), [](int bits) {
      const std::int64_t most = std::min(longest, std::int64_t{1} << bits);
      return rc::gen::inRange<std::int64_t>(-most, most + 1);
    });
    RC_ASSERT(seconds(in_seconds(Duration(count))) == Duration(count));
    RC_ASSERT(at_seconds(in_seconds(Time(Duration(count)))) == Time(Duration(count)));
  });
}

TEST(Time, IsExactAtTheLongestSpanThatIsPromised) {
  for (const std::int64_t count : {longest, longest - 1, longest - 2, longest - 3}) {
    EXPECT_EQ(seconds(in_seconds(Duration(count))), Duration(count));
    EXPECT_EQ(seconds(in_seconds(Duration(-count))), Duration(-count));
  }
}

// Of any second that a float64 holds, however late.
TEST(Time, FindsTheNearestSecondsOfEveryInstantAgain) {
  check_law({.cases = 20000}, [] {
    const Duration span(
        *rc::gen::inRange<std::int64_t>(-longest_span.count(), longest_span.count() + 1));
    const double rounded_s = in_seconds(span);
    RC_ASSERT(in_seconds(seconds(rounded_s)) == rounded_s);
    RC_ASSERT(std::abs(static_cast<long double>(rounded_s) * 1e9L -
                       static_cast<long double>(span.count())) <= 120);
  });
}

TEST(Time, CapsSumsWhereNothingLastsSoLong) {
  EXPECT_EQ(capped_sum(seconds(2), seconds(3)), seconds(5));
  Duration sum = longest_span;
  for (int times = 0; times < 10; ++times) sum = capped_sum(sum, longest_span);
  EXPECT_EQ(sum, 2 * longest_span);
  EXPECT_EQ(capped_sum(Duration::max(), Duration::max()), 2 * longest_span);
  EXPECT_EQ(capped_product(seconds(2), 3), seconds(6));
  EXPECT_EQ(capped_product(seconds(2), 0), seconds(0));
  EXPECT_EQ(capped_product(longest_span, 2), longest_span);
  EXPECT_EQ(capped_product(Duration::max(), 8000), longest_span);
}

TEST(Time, SaturatesWhereNoDurationIsSoLong) {
  for (const double count : {1e10, 1e300, infinity, std::nan("")}) {
    EXPECT_EQ(seconds(count), Duration::max()) << count;
  }
  EXPECT_EQ(seconds(-1e300), Duration::min());
}

// Where a float64 of seconds just distinguishes nanoseconds, each half of a rounding counts.
TEST(Time, IsExactNearTheLongestSpan) {
  check_law({.cases = 20000}, [] {
    const Duration span(*rc::gen::inRange<std::int64_t>(longest / 2, longest + 1));
    RC_ASSERT(seconds(in_seconds(span)) == span);
  });
  constexpr Duration once_wrong(4194304000000048);
  EXPECT_EQ(seconds(in_seconds(once_wrong)), once_wrong);
}

TEST(Time, RoundsToTheNearestNanosecond) {
  EXPECT_EQ(seconds(1.4e-9), Duration(1));
  EXPECT_EQ(seconds(1.6e-9), Duration(2));
  EXPECT_EQ(seconds(-1.6e-9), Duration(-2));
  EXPECT_EQ(seconds(0.1) + seconds(0.2), seconds(0.3));
}

}  // namespace
}  // namespace somnus
