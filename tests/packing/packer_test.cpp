// The one packer, by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "packing/puzzle.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

// Job 2 of figure 2b in half of the pool (policies.md 6.6), demands in tenths.
const Puzzle second_of_2b = {.pool = {5},
                             .demands = {{3}, {4}, {1}},
                             .tasks = {1, 1, 3},
                             .durations = {3s, 2s, 3s},
                             .edges = {{1, 2}},
                             .held = {}};

TEST(Packer, StartsTheBestAlignedThatFits) {
  const Packed packed = second_of_2b.packed();
  EXPECT_EQ(packed.starts, (Starts{{0s, 1, 1}, {2s, 0, 1}, {2s, 2, 2}, {5s, 2, 1}}));
  EXPECT_EQ(packed.end, 8s);
}

TEST(Packer, PacksBackwardWhereBundlesFollowTheirChildren) {
  Puzzle turned = second_of_2b;
  turned.edges = {{2, 1}};
  const Packed packed = turned.packed();
  EXPECT_EQ(packed.starts, (Starts{{0s, 0, 1}, {0s, 2, 2}, {3s, 2, 1}, {6s, 1, 1}}));
  EXPECT_EQ(packed.end, 8s);
}

TEST(Packer, StartsNothingThatHasNoRoomForAllItsTime) {
  Puzzle puzzle = {.pool = {5},
                   .demands = {{3}, {2}},
                   .tasks = {1, 1},
                   .durations = {2s, 9s},
                   .edges = {},
                   .held = {{1s, 4s, {3}, 1}}};
  EXPECT_EQ(puzzle.packed().starts, (Starts{{0s, 1, 1}, {4s, 0, 1}}));
  EXPECT_EQ(puzzle.packed().end, 9s);
}

TEST(Packer, GivesATieToTheFirst) {
  const Puzzle alike = {.pool = {5},
                        .demands = {{3}, {3}},
                        .tasks = {1, 1},
                        .durations = {1s, 2s},
                        .edges = {},
                        .held = {}};
  EXPECT_EQ(alike.packed().starts, (Starts{{0s, 0, 1}, {1s, 1, 1}}));
}

TEST(Packer, WaitsForWhatIsHeldOfABundle) {
  Profile space({5});
  Packer packer(space.kinds() == 1 ? std::vector<Wide>{5} : std::vector<Wide>{});
  const Demand one = {1};
  const std::vector<Bundle> bundles = {
      {.tasks = 0, .duration = 4s, .demand = one, .busy_until = 3s},
      {.tasks = 2, .duration = 1s, .demand = one},
      {.tasks = 1, .duration = 1s, .demand = one, .ready = 2s}};
  const std::vector<Edge> edges = {{0, 1}};
  const auto starts = packer.pack(space, bundles, edges, 1s);
  EXPECT_EQ(Starts(starts.begin(), starts.end()), (Starts{{2s, 2, 1}, {3s, 1, 2}}));
  EXPECT_EQ(packer.end(), 4s);
}

TEST(Packer, LeavesOutWhatStartsAfterTheEnd) {
  Profile space = second_of_2b.space();
  Packer packer(second_of_2b.pool);
  const auto bundles = second_of_2b.bundles();
  const auto starts = packer.pack(space, bundles, second_of_2b.edges, 0s, 2s);
  EXPECT_EQ(Starts(starts.begin(), starts.end()), (Starts{{0s, 1, 1}, {2s, 0, 1}, {2s, 2, 2}}));
}

}  // namespace
}  // namespace somnus::harness
