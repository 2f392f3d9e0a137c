// The timing wheel against a sorted set.
#include "base/timing_wheel.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace somnus {
namespace {

using namespace std::chrono_literals;

Time at(Duration since_start) { return start_of_time + since_start; }

TEST(TimingWheel, RefusesADeadlineBeforeTheLastOneThatWasTaken) {
  TimingWheel wheel;
  wheel.put(0, at(1s));
  EXPECT_EQ(wheel.take(), 0U);
  EXPECT_THROW(wheel.put(1, at(1s) - 1ns), Bug);
}

TEST(TimingWheel, HoldsAllOfTime) {
  TimingWheel wheel;
  wheel.put(0, never - 1ns);
  wheel.put(1, start_of_time);
  EXPECT_EQ(wheel.take(), 1U);
  EXPECT_EQ(wheel.next(), never - 1ns);
  EXPECT_EQ(wheel.take(), 0U);
}

TEST(TimingWheel, SaysWhoComesSoonWhenTheyBecomeNear) {
  TimingWheel wheel;
  for (std::uint32_t index = 0; index < 40; ++index) wheel.put(index, at(index * 1min));
  std::vector<std::uint32_t> soon;
  std::vector<std::uint32_t> taken;
  while (!wheel.empty()) {
    taken.push_back(wheel.take([&](std::uint32_t index) { soon.push_back(index); }));
    const std::size_t known = soon.size() - taken.size();
    for (std::size_t after = 0; after < 20; ++after) {
      EXPECT_EQ(wheel.coming(after, 99), after < known ? soon[taken.size() + after] : 99);
    }
  }
  EXPECT_EQ(soon, taken);
}

TEST(TimingWheel, SaysOfEachOfAWaveOnceThatItComesSoon) {
  TimingWheel wheel;
  for (std::uint32_t index = 0; index < 100; ++index) wheel.put(index, at(1h));
  std::vector<std::uint32_t> soon;
  for (std::uint32_t index = 0; index < 100; ++index) {
    EXPECT_EQ(wheel.take([&](std::uint32_t each) { soon.push_back(each); }), index);
    EXPECT_EQ(soon.size(), std::min(100U, 16 + index + 1));
  }
  EXPECT_TRUE(std::ranges::is_sorted(soon));
}

// Else a heap would take all that is put until the last of a few tasks ends.
TEST(TimingWheel, GathersNothingThatIsFarAway) {
  TimingWheel wheel;
  for (std::uint32_t index = 0; index < 15; ++index) wheel.put(index, at((index + 1) * 1min));
  std::size_t soon = 0;
  for (std::size_t taken = 1; taken <= 15; ++taken) {
    wheel.take([&](std::uint32_t) { ++soon; });
    EXPECT_LE(soon, taken + 2);  // 32 slots of 4.3 s
  }
}

TEST(TimingWheel, GathersSlotsWithFewDeadlines) {
  TimingWheel wheel;
  for (std::uint32_t index = 0; index < 8; ++index) wheel.put(index, at(index * 80ms));
  std::size_t soon = 0;
  EXPECT_EQ(wheel.take([&](std::uint32_t) { ++soon; }), 0U);
  EXPECT_EQ(soon, 1U);  // time 0 is on the lowest wheel, the others are on a higher one
  EXPECT_EQ(wheel.take([&](std::uint32_t) { ++soon; }), 1U);
  EXPECT_EQ(soon, 8U);
  wheel.put(8, at(200ms));  // between those that are near
  wheel.erase(4, at(320ms));
  for (const std::uint32_t next : {2U, 8U, 3U, 5U, 6U, 7U}) EXPECT_EQ(wheel.take(), next);
  EXPECT_TRUE(wheel.empty());
}

RC_GTEST_PROP(TimingWheel, IsAsExactAsASortedSet, ()) {
  TimingWheel wheel;
  std::set<std::pair<Time, std::uint32_t>> sorted;
  std::map<std::uint32_t, Time> deadlines;
  Time now = start_of_time;
  const auto span = *rc::gen::element<std::uint64_t>(3, 70, 5'000, 1'000'000'000'000);
  // Many at once, too: a slot with few entries is not spread over the wheels below.
  const auto most = *rc::gen::element<std::uint32_t>(1, 40, 400);
  const auto draws = *rc::gen::container<std::vector<std::uint64_t>>(
      4 * most, rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>()));
  for (const std::uint64_t draw : draws) {
    const auto index = static_cast<std::uint32_t>(draw % most);
    const auto known = deadlines.find(index);
    const std::uint64_t choice = (draw >> 32) % 4;
    if (choice < 2 && known == deadlines.end()) {
      const Time deadline = now + Duration(static_cast<std::int64_t>((draw >> 8) % span));
      wheel.put(index, deadline);
      sorted.emplace(deadline, index);
      deadlines[index] = deadline;
    } else if (choice == 2 && known != deadlines.end()) {
      wheel.erase(index, known->second);
      sorted.erase({known->second, index});
      deadlines.erase(known);
    } else if (choice == 3 && !sorted.empty()) {
      const auto [deadline, first] = *sorted.begin();
      RC_ASSERT(wheel.take() == first);
      sorted.erase(sorted.begin());
      deadlines.erase(first);
      now = deadline;
    }
    RC_ASSERT(wheel.empty() == sorted.empty());
    RC_ASSERT(wheel.next() == (sorted.empty() ? never : sorted.begin()->first));
  }
}

}  // namespace
}  // namespace somnus
