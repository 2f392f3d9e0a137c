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

std::vector<double> tasks(int count, double duration_s) {
  return std::vector<double>(static_cast<std::size_t>(count), duration_s);
}

/// In each queue a job of that name, with more to do than there is room for.
WorkloadBuilder saturated() {
  return workload()
      .job("A", {.queue = "A", .tasks = tasks(40, 1)})
      .job("B", {.queue = "B", .tasks = tasks(40, 1)});
}

// (running / capacity) by turns: A and B at 0, so the first; then always the smaller.
TEST(Capacity, ServesTheQueueWithTheFewestTasksForItsCapacity) {
  const World world = simulate(saturated(), cluster(10), capacity({{"A", 70}, {"B", 30}}));
  EXPECT_EQ(world.served_at(0s), (Served{"A", "B", "A", "A", "B", "A", "A", "B", "A", "A"}));
}

TEST(Capacity, IsRelative) {
  const World in_percent = simulate(saturated(), cluster(10), capacity({{"A", 70}, {"B", 30}}));
  const World in_shares = simulate(saturated(), cluster(10), capacity({{"B", 3}, {"A", 7}}));
  EXPECT_EQ(transcript(in_shares), transcript(in_percent));
}

TEST(Capacity, OfQueuesThatNobodyNamesIsAlike) {
  const World world = simulate(saturated(), cluster(4), capacity({}));
  EXPECT_EQ(world.served_at(0s), (Served{"A", "B", "A", "B"}));
}

// A's ten first tasks end one a second. B comes when A has all, and gets what ends until it has its
// three: at 1, 2 and 3 s. At 4 s A has 6 of 70, B 3 of 30.
TEST(Capacity, IsBorrowedWhileItsQueueIsEmptyAndGivenBackAsTasksEnd) {
  std::vector<double> of_a = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  of_a.insert(of_a.end(), 10, 100);
  const auto jobs = workload()
                        .job("A", {.queue = "A", .tasks = of_a})
                        .job("B", {.at = 500ms, .queue = "B", .tasks = tasks(20, 100)});
  const World world = simulate(jobs, cluster(10), capacity({{"A", 70}, {"B", 30}}));
  EXPECT_EQ(world.served_at(0s), Served(10, "A"));
  for (const Duration now : {1s, 2s, 3s}) EXPECT_EQ(world.served_at(now), (Served{"B"}));
  for (const Duration now : {4s, 5s, 6s, 7s, 8s, 9s, 10s}) {
    EXPECT_EQ(world.served_at(now), (Served{"A"}));
  }
}

TEST(Capacity, AQueueAtItsMaximumIsPassedOverThoughSlotsAreFree) {
  std::vector<double> of_a = {1, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4};
  const auto jobs = workload()
                        .job("A", {.queue = "A", .tasks = of_a})
                        .job("B", {.at = 10s, .queue = "B", .tasks = {1}});
  const World world =
      simulate(jobs, cluster(10), capacity({{"A", 70}, {"B", 30}}, {{"max_capacity", 0.8}}));
  EXPECT_EQ(world.served_at(0s), Served(8, "A"));
  EXPECT_EQ(world.served_at(1s), (Served{"A"}));
  EXPECT_EQ(world.served_at(2s), (Served{"A"}));
  EXPECT_EQ(world.served_at(3s), (Served{"A"}));
}

// Of ten slots A and B may have two each; C, for which the rest is meant, has but one
// task. With A at its maximum of 2 of 2, B at 1 of 1 is still served.
TEST(Capacity, AllQueuesMayBeAtTheirMaximum) {
  const auto jobs = workload()
                        .job("A", {.queue = "A", .tasks = tasks(20, 1)})
                        .job("B", {.queue = "B", .tasks = tasks(20, 1)})
                        .job("C", {.queue = "C", .tasks = {3}});
  const World world = simulate(jobs, cluster(10),
                               capacity({{"A", 2}, {"B", 1}, {"C", 17}}, {{"max_capacity", 0.2}}));
  EXPECT_EQ(world.served_at(0s), (Served{"A", "B", "C", "A", "B"}));
  EXPECT_EQ(world.served_at(1s), (Served{"A", "B", "A", "B"}));
  EXPECT_EQ(world.served_at(3s), (Served{"A", "B", "A", "B"}));
}

// A may have its own 70 %, B its 30 % or the half, whichever is more.
TEST(Capacity, TheMaximumIsNeverLessThanTheQueuesOwnShare) {
  const auto only = [](const char* queue) {
    const auto jobs =
        workload()
            .job("A",
                 {.at = queue == std::string("A") ? 0s : 5s, .queue = "A", .tasks = tasks(10, 1)})
            .job("B",
                 {.at = queue == std::string("B") ? 0s : 5s, .queue = "B", .tasks = tasks(10, 1)});
    const World world =
        simulate(jobs, cluster(10), capacity({{"A", 70}, {"B", 30}}, {{"max_capacity", 0.5}}));
    return world.served_at(0s).size();
  };
  EXPECT_EQ(only("A"), 7U);
  EXPECT_EQ(only("B"), 5U);
}

TEST(Capacity, WithoutBorrowingEachQueueStillGetsOneSlotOfATinyCluster) {
  const World world =
      simulate(saturated(), cluster(1), capacity({{"A", 70}, {"B", 30}}, {{"max_capacity", 0.0}}));
  EXPECT_EQ(world.ending, Ending::all_jobs_ended);
}

TEST(Capacity, AMaximumOfSevenPercentOfAHundredSlotsIsSevenTasks) {
  const World world = simulate(saturated(), cluster(100),
                               capacity({{"A", 1}, {"B", 99}}, {{"max_capacity", 0.07}}));
  const Served first = world.served_at(0s);
  EXPECT_EQ(std::count(first.begin(), first.end(), "A"), 7);
}

TEST(Capacity, InsideAQueueTheJobOrderRules) {
  const auto jobs = workload()
                        .job("before", {.queue = "B", .tasks = {1}})
                        .job("long", {.at = 100ms, .queue = "A", .tasks = {5}})
                        .job("short", {.at = 200ms, .queue = "A", .tasks = {2}});
  const auto conditions = [](const char* by) {
    return capacity({{"A", 1}, {"B", 1}}, {{"by", by}});
  };
  EXPECT_EQ(simulate(jobs, cluster(1), conditions("ejf")).served_at(1s), (Served{"long"}));
  EXPECT_EQ(simulate(jobs, cluster(1), conditions("srjf")).served_at(1s), (Served{"short"}));
}

TEST(Capacity, AStarvedJobGoesFirstInItsQueueOnly) {
  const auto jobs = workload()
                        .job("other", {.queue = "B", .tasks = {3, 9}})
                        .job("running", {.queue = "A", .tasks = {4}})
                        .job("long", {.at = 100ms, .queue = "A", .tasks = {5}})
                        .job("short", {.at = 2900ms, .queue = "A", .tasks = {2}});
  const World world = simulate(
      jobs, cluster(2), capacity({{"A", 1}, {"B", 1}}, {{"by", "sjf"}, {"starvation_s", 2.0}}));
  EXPECT_EQ(world.served_at(3s), (Served{"other"}));
  EXPECT_EQ(world.served_at(4s), (Served{"long"}));
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
