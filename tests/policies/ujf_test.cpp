// UJF and FAIR worked out by hand: completions, weights, levels, and how often they look again.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/world.hpp"
#include "policies/example_u2.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

// The slot goes to the user who runs least, then to its stage that runs least, then by number.
TEST(Ujf, ServesTheUserWhoRunsLeastAndOfItTheStageThatRunsLeast) {
  const World world = simulate(example_u2(), cluster(4), {.order = "ujf"});
  expect_u2(world, 5, 3, 5, 4);
  EXPECT_EQ(world.served_at(0s), (Served{"A1", "A2", "A1", "A2"}));
  EXPECT_EQ(world.served_at(1s), (Served{"A1", "B1", "A2", "B1"}));
  EXPECT_EQ(world.served_at(3s), (Served{"A1", "B1", "A1", "B2"}));
}

// Spark sorts once a round and then takes all tasks of the first.
TEST(Ujf, MayLookOnlyOnceARound) {
  const World world = simulate(example_u2(), cluster(4),
                               {.order = "ujf", .of_order = {{"resort_per_task", false}}});
  expect_u2(world, 2, 3, 5, 5);
  EXPECT_EQ(world.served_at(0s), (Served{"A1", "A1", "A1", "A1"}));
  EXPECT_EQ(world.served_at(1s), (Served{"A1", "A1", "A1", "A1"}));
}

TEST(Fair, MayLookOnlyOnceARound) {
  const auto jobs = workload().job("a", {.tasks = {1, 1, 1}}).job("b", {.tasks = {1, 1, 1, 1, 1}});
  const World world =
      simulate(jobs, cluster(4), {.order = "fair", .of_order = {{"resort_per_task", false}}});
  EXPECT_EQ(world.served_at(0s), (Served{"a", "a", "a", "b"}));
}

// The next round sees what the last one launched.
TEST(Fair, LooksAgainInTheNextRound) {
  const auto jobs = workload().job("a", {.tasks = {1, 3, 3, 3}}).job("b", {.tasks = {1, 1, 1, 1}});
  const World world =
      simulate(jobs, cluster(2), {.order = "fair", .of_order = {{"resort_per_task", false}}});
  EXPECT_EQ(world.served_at(0s), (Served{"a", "a"}));
  EXPECT_EQ(world.served_at(1s), (Served{"b"}));
}

}  // namespace
}  // namespace somnus::harness
