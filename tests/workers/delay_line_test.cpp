#include "workers/delay_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/property.hpp"

namespace somnus {
namespace {

using harness::check_law;
using namespace std::chrono_literals;

TEST(DelayLine, GivesThingsInOrderOfTheirTimesAndEqualOnesAsTheyWerePutIn) {
  check_law({.cases = 300}, [] {
    // Negative: take the first one. Few different times, so that many are equal.
    const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-8, 20));
    DelayLine<int> line;
    std::vector<std::pair<Time, int>> reference;
    int number = 0;
    for (const int step : steps) {
      if (step >= 0) {
        line.put(Time(Duration(step)), number);
        reference.emplace_back(Time(Duration(step)), number++);
        continue;
      }
      if (reference.empty()) continue;
      std::stable_sort(reference.begin(), reference.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      RC_ASSERT(line.next() == reference.front().first);
      line.take([&](Time due, int thing) {
        RC_ASSERT(due == reference.front().first);
        RC_ASSERT(thing == reference.front().second);
      });
      reference.erase(reference.begin());
      RC_ASSERT(line.empty() == reference.empty());
    }
  });
}

TEST(DelayLine, HasNothingNextWhenItIsEmpty) {
  const DelayLine<int> line;
  EXPECT_TRUE(line.empty());
  EXPECT_EQ(line.next(), never);
}

TEST(DelayLine, PutsBackWhatIsVisitedHoweverFullItIs) {
  for (int count = 1; count <= 300; ++count) {  // some of them fill the line's memory
    DelayLine<int> line;
    for (int thing = 0; thing < count; ++thing) line.put(Time(1s), thing);
    for (int thing = 0; thing < count; ++thing) {
      line.take([&](Time, const int& visited) { line.put(Time(2s), visited); });
    }
    for (int thing = 0; thing < count; ++thing) {
      line.take([&](Time due, int visited) {
        EXPECT_EQ(due, Time(2s));
        EXPECT_EQ(visited, thing) << "of " << count;
      });
    }
    EXPECT_TRUE(line.empty());
  }
}

TEST(DelayLine, KeepsItsOrderWhereItIsNeverEmpty) {
  for (const int waiting : {1, 20, 40, 70}) {  // of them some leave room at the front when it fills
    DelayLine<int> line;
    int put = 0;
    for (; put < waiting; ++put) line.put(Time(Duration(put)), put);
    for (int taken = 0; taken < 1000; ++taken) {
      line.take([&](Time due, const int& thing) {
        EXPECT_EQ(due, Time(Duration(taken)));
        EXPECT_EQ(thing, taken) << waiting << " wait";
        line.put(Time(Duration(put)), put);
      });
      ++put;
    }
    EXPECT_EQ(line.next(), Time(Duration(1000)));
  }
}

TEST(Delay, WithoutJitterIsTheMeanAndDrawsNothing) {
  RandomStream stream(1, "test");
  RandomStream untouched(1, "test");
  EXPECT_EQ((Delay{.mean = 5ms}.draw(stream)), 5ms);
  EXPECT_EQ(stream.uniform(), untouched.uniform());
}

}  // namespace
}  // namespace somnus
