#include "base/bit_index.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "harness/property.hpp"

namespace somnus {
namespace {

using harness::check_law;

TEST(BitIndex, IsASetThatFindsItsFirstMemberAtOrAfterAnyPlace) {
  check_law({.cases = 200}, [] {
    // One, two and three levels of words, with sizes on both sides of their edges.
    const auto size =
        *rc::gen::element<std::uint32_t>(1U, 63U, 64U, 65U, 4095U, 4096U, 4097U, 300000U);
    BitIndex index(size);
    std::set<std::uint32_t> reference;
    const auto places = *rc::gen::container<std::vector<std::pair<std::uint32_t, bool>>>(
        rc::gen::pair(rc::gen::inRange<std::uint32_t>(0, size), rc::gen::arbitrary<bool>()));
    for (const auto& [place, inserts] : places) {
      if (inserts) {
        index.insert(place);
        reference.insert(place);
      } else {
        index.erase(place);
        reference.erase(place);
      }
      const auto from = *rc::gen::inRange<std::uint32_t>(0, size);
      const auto found = reference.lower_bound(from);
      RC_ASSERT(index.first(from) == (found == reference.end() ? BitIndex::none : *found));
      RC_ASSERT(index.empty() == reference.empty());
      RC_ASSERT(index.contains(place) == reference.contains(place));
      RC_ASSERT(index.first() == (reference.empty() ? BitIndex::none : *reference.begin()));
    }
  });
}

TEST(BitIndex, LooksPastItsEndAndFindsNothing) {
  BitIndex index(64);
  index.insert(63);
  EXPECT_EQ(index.first(63), 63U);
  EXPECT_EQ(index.first(64), BitIndex::none);
  EXPECT_EQ(index.first(1'000'000), BitIndex::none);
}

TEST(BitIndex, OfSizeZeroIsEmpty) {
  const BitIndex index(0);
  EXPECT_TRUE(index.empty());
  EXPECT_EQ(index.first(), BitIndex::none);
}

TEST(BitIndex, KeepsItsMembersAsItGrows) {
  BitIndex index(0);
  std::vector<std::uint32_t> members;
  for (std::uint32_t size = 1; size < 300'000; size = size * 3 + 1) {
    index.grow(size);
    index.insert(size - 1);
    members.push_back(size - 1);
    std::vector<std::uint32_t> found;
    for (std::uint32_t at = index.first(); at != BitIndex::none; at = index.first(at + 1)) {
      found.push_back(at);
    }
    ASSERT_EQ(found, members);
  }
  index.grow(5);
  EXPECT_TRUE(index.contains(members.back()));
}

}  // namespace
}  // namespace somnus
