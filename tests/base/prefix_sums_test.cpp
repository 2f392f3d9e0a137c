#include "base/prefix_sums.hpp"

#include <gtest/gtest.h>

#include <map>

#include "harness/property.hpp"

namespace somnus {
namespace {

using harness::check_law;

constexpr int none = 51;

/// The first key from -1 to 50 up to which they add up to something else; none if none does.
int first_wrong_sum(const PrefixSums<int, std::int64_t>& sums,
                    const std::map<int, std::int64_t>& reference) {
  std::int64_t sum = 0;
  auto next = reference.begin();
  for (int up_to = -1; up_to < none; ++up_to) {
    if (next != reference.end() && next->first == up_to) sum += next++->second;
    if (sums.up_to(up_to) != sum) return up_to;
  }
  return none;
}

TEST(PrefixSums, AfterAnyStepsTheySayWhatAddingUpAMapSays) {
  check_law({.cases = 300, .largest = 300}, [] {
    PrefixSums<int, std::int64_t> sums;
    std::map<int, std::int64_t> reference;
    for (const int draw : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1000))) {
      const int key = draw % 50;
      if (draw < 300 && !reference.empty()) {
        sums.pop_first();
        reference.erase(reference.begin());
      } else if (draw < 400 && !reference.empty()) {
        sums.set_first(draw);
        reference.begin()->second = draw;
      } else if (reference.emplace(key, draw).second) {
        sums.insert(key, draw);
      }
      RC_ASSERT(sums.empty() == reference.empty());
      if (!sums.empty()) {
        RC_ASSERT(sums.first() == reference.begin()->first);
        RC_ASSERT(sums.first_amount() == reference.begin()->second);
      }
      RC_ASSERT(first_wrong_sum(sums, reference) == none);
    }
  });
}

TEST(PrefixSums, ACopyLivesALifeOfItsOwn) {
  PrefixSums<int, int> sums;
  sums.insert(2, 20);
  sums.insert(1, 10);
  PrefixSums<int, int> copy = sums;
  copy.pop_first();
  copy.insert(3, 30);
  EXPECT_EQ(sums.up_to(3), 30);
  EXPECT_EQ(copy.up_to(3), 50);
}

}  // namespace
}  // namespace somnus
