// Capacity sharing between queues, by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

Conditions capacity(Table capacities, Parameters more = {}) {
  more["capacities"] = std::move(capacities);
  return {.order = "capacity", .of_order = std::move(more)};
}

/// In each queue a job of that name, with more to do than there is room for.
WorkloadBuilder saturated() {
  return workload()
      .job("A", {.queue = "A", .tasks = alike(40)})
      .job("B", {.queue = "B", .tasks = alike(40)});
}

// (running / capacity) by turns: A and B at 0, so the first; then always the smaller.
TEST(Capacity, ServesTheQueueWithTheFewestTasksForItsCapacity) {
  const World world = simulate(saturated(), cluster(10), capacity({{"A", 70}, {"B", 30}}));
  EXPECT_EQ(world.served_at(0s), (Served{"A", "B", "A", "A", "B", "A", "A", "B", "A", "A"}));
}

TEST(Capacity, OfQueuesThatNobodyNamesIsAlike) {
  const World world = simulate(saturated(), cluster(4), capacity({}));
  EXPECT_EQ(world.served_at(0s), (Served{"A", "B", "A", "B"}));
}

// Of ten slots A and B may have two each; C, for which the rest is meant, has but one
// task. With A at its maximum of 2 of 2, B at 1 of 1 is still served.
TEST(Capacity, AllQueuesMayBeAtTheirMaximum) {
  const auto jobs = workload()
                        .job("A", {.queue = "A", .tasks = alike(20)})
                        .job("B", {.queue = "B", .tasks = alike(20)})
                        .job("C", {.queue = "C", .tasks = {3}});
  const World world = simulate(jobs, cluster(10),
                               capacity({{"A", 2}, {"B", 1}, {"C", 17}}, {{"max_capacity", 0.2}}));
  EXPECT_EQ(world.served_at(0s), (Served{"A", "B", "C", "A", "B"}));
  EXPECT_EQ(world.served_at(1s), (Served{"A", "B", "A", "B"}));
  EXPECT_EQ(world.served_at(3s), (Served{"A", "B", "A", "B"}));
}

TEST(Capacity, AMaximumOfSevenPercentOfAHundredSlotsIsSevenTasks) {
  const World world = simulate(saturated(), cluster(100),
                               capacity({{"A", 1}, {"B", 99}}, {{"max_capacity", 0.07}}));
  const Served first = world.served_at(0s);
  EXPECT_EQ(std::count(first.begin(), first.end(), "A"), 7);
}

std::vector<std::string> config_errors(Table capacities, std::vector<std::string> queues) {
  const Cluster slots = cluster(1);
  std::vector<std::string> texts;
  for (const ConfigError& config_error :
       config_errors_of({.order = "capacity",
                         .of_order = {{"capacities", std::move(capacities)}},
                         .placement = "any-free"},
                        {.cluster = slots, .queues = queues})) {
    texts.push_back(config_error.parameter + ": " + config_error.what);
  }
  return texts;
}

TEST(Capacity, FitsAWorkloadWithJustItsQueues) {
  EXPECT_EQ(config_errors({{"A", 70}, {"B", 30}}, {"B", "A"}), Served());
  EXPECT_EQ(config_errors({}, {"B", "A"}), Served());
  EXPECT_EQ(config_errors({{"A", 70}, {"C", 30}}, {"A", "B"}),
            (Served{"capacity.capacities: there is no queue 'C' in the workload; it has A, B",
                    "capacity.capacities: the workload's queue 'B' has no capacity here"}));
}

TEST(Capacity, OtherPartsFitAnyWorkload) {
  const Cluster slots = cluster(1);
  const std::vector<std::string> queues = {"A", "B"};
  for (const Part& part : parts()) {
    Composition composition{.order = "fifo", .placement = "any-free"};
    if (part.kind == PartKind::policy) {
      composition.whole = part.name;
    } else if (part.kind == PartKind::order) {
      composition.order = part.name;
    } else if (part.kind == PartKind::placement) {
      composition.placement = part.name;
    }
    const auto config_errors = config_errors_of(composition, {.cluster = slots, .queues = queues});
    EXPECT_TRUE(config_errors.empty()) << part.name;
  }
}

}  // namespace
}  // namespace somnus::harness
