#include "base/prefix_sums.hpp"

#include <gtest/gtest.h>

#include <map>

#include "harness/property.hpp"

namespace somnus {
namespace {

using harness::check_law;

TEST(PrefixSums, AfterAnyStepsTheySayWhatAddingUpAMapSays) {
  check_law({.cases = 500, .largest = 300}, [] {
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
      std::int64_t sum = 0;
      for (int up_to = -1; up_to <= 50; ++up_to) {
        if (const auto found = reference.find(up_to); found != reference.end()) {
          sum += found->second;
        }
        RC_ASSERT(sums.up_to(up_to) == sum);
      }
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
