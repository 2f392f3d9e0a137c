#include "export/lanes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "harness/property.hpp"

namespace somnus {
namespace {

TEST(Lanes, AreTheLowestThatAreFree) {
  Lanes lanes;
  EXPECT_EQ(lanes.take(0, 10), 0);
  EXPECT_EQ(lanes.take(0, 5), 1);
  EXPECT_EQ(lanes.take(5, 6), 1);
  EXPECT_EQ(lanes.take(10, 12), 0);
  EXPECT_EQ(lanes.count(), 2);
}

TEST(Lanes, NeverOverlapAndAreNoMoreThanSpansAtOnce) {
  harness::check_law({.cases = 200, .largest = 100}, [] {
    auto begins = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 100));
    std::ranges::sort(begins);
    Lanes lanes;
    std::map<std::uint32_t, int> busy_until;
    std::vector<std::pair<int, int>> spans;
    std::size_t most_at_once = 0;
    for (const int begin : begins) {
      const int end = begin + *rc::gen::inRange(1, 30);
      const std::uint32_t lane = lanes.take(begin, end);
      RC_ASSERT(!busy_until.contains(lane) || busy_until[lane] <= begin);
      busy_until[lane] = end;
      spans.emplace_back(begin, end);
      const auto now = std::ranges::count_if(
          spans, [&](const auto& span) { return span.first <= begin && span.second > begin; });
      most_at_once = std::max(most_at_once, static_cast<std::size_t>(now));
    }
    RC_ASSERT(lanes.count() == most_at_once);
  });
}

}  // namespace
}  // namespace somnus
