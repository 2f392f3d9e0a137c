// What is taken of a pool, over time.
#include "packing/profile.hpp"

#include <gtest/gtest.h>

#include "harness/property.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;
using Amount = std::vector<std::int64_t>;

const Amount three = {3};

TEST(Profile, HasAStepFromEachChangeToTheNext) {
  Profile space({10});
  space.take(2s, 5s, three, 2);
  space.take(4s, 7s, three, 1);
  ASSERT_EQ(space.steps(), 5U);
  EXPECT_EQ(space.step_at(0s), 0U);
  EXPECT_EQ(space.step_at(2s), 1U);
  EXPECT_EQ(space.step_at(3s), 1U);
  EXPECT_EQ(space.begin(2), 4s);
  EXPECT_EQ(space.begin(4), 7s);
  const std::vector<int> taken = {0, 6, 9, 3, 0};
  for (std::size_t step = 0; step < taken.size(); ++step) {
    EXPECT_TRUE(space.taken(step, 0) == taken[step]) << step;
  }
}

TEST(Profile, IsEmptyAgainAfterClearing) {
  Profile space({10});
  space.take(2s, 5s, three, 2);
  const std::vector<Wide> other = {4, 4};
  space.clear(other);
  EXPECT_EQ(space.steps(), 1U);
  EXPECT_EQ(space.kinds(), 2U);
  EXPECT_EQ(space.room(0, 1s, three, 9), 1U);
}

// Against a table of whole seconds.
TEST(ProfileLaws, TakenAndRoomAreAsInATableOfSeconds) {
  check_law({.cases = 500}, [] {
    constexpr int end = 20;
    struct Taken {
      int begin, end, tasks;
      Amount demand;
    };
    Profile space({12, 7});
    std::vector<std::array<int, 3>> table(end + 1);  // by second: two kinds, tasks
    std::vector<Taken> there;
    const int changes = *rc::gen::inRange(1, 12);
    const auto change = [&](const Taken& some, int sign) {
      for (int second = some.begin; second < some.end; ++second) {
        auto& row = table[static_cast<std::size_t>(second)];
        for (std::size_t kind = 0; kind < 2; ++kind) {
          row[kind] += sign * some.tasks * static_cast<int>(some.demand[kind]);
        }
        row[2] += sign * some.tasks;
      }
    };
    for (int at = 0; at < changes; ++at) {
      if (!there.empty() && *rc::gen::inRange(0, 3) == 0) {
        const Taken some = there.back();
        there.pop_back();
        change(some, -1);
        space.give(some.begin * 1s, some.end * 1s, some.demand,
                   static_cast<std::uint32_t>(some.tasks));
        continue;
      }
      Taken some;
      some.begin = *rc::gen::inRange(0, end);
      some.end = *rc::gen::inRange(some.begin, end + 1);
      some.tasks = *rc::gen::inRange(1, 4);
      some.demand = {*rc::gen::inRange(0, 5), *rc::gen::inRange(0, 4)};
      change(some, 1);
      space.take(some.begin * 1s, some.end * 1s, some.demand,
                 static_cast<std::uint32_t>(some.tasks));
      there.push_back(some);
    }
    for (int second = 0; second < end; ++second) {
      const std::size_t step = space.step_at(second * 1s);
      for (std::size_t kind = 0; kind < 2; ++kind) {
        RC_ASSERT(space.taken(step, kind) == table[static_cast<std::size_t>(second)][kind]);
      }
    }
    const std::size_t step =
        *rc::gen::inRange(std::size_t{space.steps() > 1 ? 1U : 0U}, space.steps());
    const int from = step == 0 ? 0 : static_cast<int>(space.begin(step) / 1s);
    const int until = *rc::gen::inRange(from, end + 1);
    const Amount demand = {*rc::gen::inRange(0, 14), *rc::gen::inRange(0, 9)};
    std::uint32_t fit = 6;
    for (int second = from; second < std::max(until, from + 1); ++second) {
      const auto& row = table[static_cast<std::size_t>(second)];
      std::uint32_t here = 0;
      while (here < fit && row[0] + (here + 1) * demand[0] <= 12 &&
             row[1] + (here + 1) * demand[1] <= 7) {
        ++here;
      }
      fit = std::max(here, row[2] == 0 ? std::min(fit, 1U) : 0U);
    }
    RC_ASSERT(space.room(step, until * 1s, demand, 6) == fit);
  });
}

}  // namespace
}  // namespace somnus::harness
