// What orders say that they mean each job to have.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/carbyne_figures.hpp"
#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

constexpr double exact = 1e-12;

/// The example of the DRF paper, with a job more that comes and goes.
WorkloadBuilder three_jobs() {
  return workload()
      .resources({"cpu", "mem_gb"})
      .job("a", {.weight = 2, .tasks = alike(30, 10), .demand = {1, 4}})
      .job("b", {.tasks = alike(30, 10), .demand = {3, 1}})
      .job("c", {.at = 10s, .tasks = alike(1, 10), .demand = {1, 0}});
}

class DrfTargets : public ::testing::TestWithParam<const char*> {};

TEST_P(DrfTargets, AreDominantSharesOfTheClosedForm) {
  auto found = targets_at(0s, three_jobs(), machines(1, {9, 18}), {.order = GetParam()});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0].entitled, 12.0 / 13, exact);
  EXPECT_NEAR(found[1].entitled, 6.0 / 13, exact);
  EXPECT_EQ(found[0].target, found[0].entitled);
  EXPECT_EQ(targets_at(10s, three_jobs(), machines(1, {9, 18}), {.order = GetParam()}).size(), 3U);
}

TEST_P(DrfTargets, ChangeWhenJobsComeAndGo) {
  const auto jobs =
      workload().job("a", {.tasks = alike(9, 2)}).job("b", {.at = 2s, .tasks = alike(2, 2)});
  const Cluster nodes = cluster(1, 3);
  const auto of_a = [&](Duration instant) {
    return targets_at(instant, jobs, nodes, {.order = GetParam()}).at(0).entitled;
  };
  EXPECT_NEAR(of_a(0s), 1, exact);
  EXPECT_NEAR(of_a(2s), 0.5, exact);
  EXPECT_EQ(targets_at(2s, jobs, nodes, {.order = GetParam()}).size(), 2U);
  EXPECT_NEAR(of_a(6s), 1, exact);
}

INSTANTIATE_TEST_SUITE_P(Of, DrfTargets, ::testing::Values("drf", "drf-strict"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(CapacityTargets, AreEqualPartsOfTheQueuesCapacity) {
  const auto jobs = workload()
                        .job("a", {.queue = "A", .tasks = alike(9)})
                        .job("b", {.queue = "A", .tasks = alike(9)})
                        .job("c", {.queue = "B", .tasks = alike(9)});
  const Conditions conditions{.order = "capacity",
                              .of_order = {{"capacities", Table{{"A", 70}, {"B", 30}}}}};
  auto found = targets_at(0s, jobs, cluster(10), conditions);
  EXPECT_NEAR(found[0].entitled, 0.35, exact);
  EXPECT_NEAR(found[1].target, 0.35, exact);
  EXPECT_NEAR(found[2].entitled, 0.3, exact);
}

TEST(Targets, AreNotOfOrdersThatDoNotThinkInThem) {
  const auto jobs = workload().job("a", {.tasks = {1}});
  for (const char* order : {"fifo", "cfq", "tetris"}) {
    EXPECT_TRUE(targets_at(0s, jobs, cluster(1), {.order = order}).empty()) << order;
  }
}

}  // namespace
}  // namespace somnus::harness
