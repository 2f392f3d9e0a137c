#include "fluid/standalone.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/property.hpp"
#include "harness/scenarios.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

constexpr JobId first(0U);

Duration alone_on(const WorkloadBuilder& jobs, const Cluster& cluster, double cold_factor = 1) {
  const Workload built = jobs.build(cluster.slot_count());
  return alone(built.catalogue, built.truth, cluster, first, cold_factor);
}

TEST(Alone, IsTheLongestTaskWhereThereAreSlotsForAll) {
  EXPECT_EQ(alone_on(workload().job("j").tasks({3, 9, 4}), cluster(5)), 9s);
}

TEST(Alone, IsTheSlotTimeOnOneSlot) {
  EXPECT_EQ(alone_on(workload().job("j").tasks({3, 9, 4}), cluster(1)), 16s);
}

TEST(Alone, TakesTasksInOrderAsSlotsComeFree) {
  // 3 and 2 first; 2 follows at 2 and ends at 4; 4 follows at 3.
  EXPECT_EQ(alone_on(workload().job("j").tasks({3, 2, 2, 4}), cluster(2)), 7s);
}

TEST(Alone, StartsAStageWhenItsParentsHaveEnded) {
  const auto diamond = workload()
                           .job("j")
                           .stage(0)
                           .tasks({2, 3})
                           .stage(1, {0})
                           .tasks({4})
                           .stage(2, {0})
                           .tasks({1})
                           .stage(3, {1, 2})
                           .tasks({5});
  EXPECT_EQ(alone_on(diamond, cluster(9)), 12s);
  EXPECT_EQ(alone_on(diamond, cluster(1)), 15s);
}

TEST(Alone, ChargesTheFirstTaskOnEachSlotForTheColdStart) {
  // Cold: 6 and 4; the third task follows on the slot that is free at 4, warm.
  EXPECT_EQ(alone_on(workload().job("j").tasks({3, 2, 2}), cluster(2), 2), 6s);
  EXPECT_EQ(alone_on(workload().job("j").tasks({3, 2, 2}), cluster(3), 2), 6s);
  EXPECT_EQ(alone_on(workload().job("j").tasks({3, 2, 2}), cluster(1), 2), 10s);
}

// The later a stage stands, the earlier it runs.
TEST(Alone, AndTheCriticalPathOfAChainOf50000StagesTakeNoLongerThanItsStages) {
  constexpr std::uint32_t stages = 50'000;
  auto chain = workload().job("j");
  for (std::uint32_t at = 0; at < stages; ++at) {
    if (at + 1 < stages) {
      chain.stage(at, {at + 1}).tasks({1});
    } else {
      chain.stage(at).tasks({1});
    }
  }
  const Workload built = chain.build(2);
  EXPECT_EQ(alone(built.catalogue, built.truth, cluster(2), first, 1), stages * 1s);
  EXPECT_EQ(critical_path(built.catalogue, built.truth, first), stages * 1s);
}

TEST(Alone, DoesNotDependOnWhenOthersAreThere) {
  const Workload jobs =
      workload().job("a").at(0s).tasks({5, 5}).job("b").at(1s).tasks({2, 2, 2}).build();
  EXPECT_EQ(alone(jobs.catalogue, jobs.truth, cluster(2), JobId(1U), 1), 4s);
}

TEST(Alone, RunsAsManyTasksAtOnceAsTheirDemandLets) {
  const Cluster vectors{.groups = {{.count = 2, .slots = 8, .capacity = amounts({4, 8})}},
                        .resources = {"cpu", "mem_gb"}};
  auto jobs = workload();
  jobs.resources({"cpu", "mem_gb"}).job("j").tasks({1, 1, 1, 1, 1, 1}).demand({2, 3});
  EXPECT_EQ(alone_on(jobs, vectors), 2s);  // two on each node
}

TEST(Alone, IsTheResponseTimeOfTheJobWhenItIsReallyAlone) {
  check_law({.cases = 200}, [] {
    Scenario scenario = any_scenario({.instant = true, .faults = false, .vectors = false});
    scenario.jobs.jobs.resize(1);
    scenario.conditions.order = "fifo";
    scenario.conditions.of_order = {};
    scenario.conditions.nodes.jvm_reuse = false;
    for (NodeGroup& group : scenario.cluster.groups) group.slowdown = 1;
    const World world = run(scenario);
    const Workload& jobs = world.workload;
    RC_ASSERT(alone(jobs.catalogue, jobs.truth, scenario.cluster, first, 1) ==
              world.finish[0] - jobs.catalogue[first].submit);
  });
}

// By walking every path.
Duration longest_path(const Workload& jobs, const Stage& stage) {
  Duration before{};
  for (const StageId parent : jobs.catalogue.parents_of(stage)) {
    before = std::max(before, longest_path(jobs, jobs.catalogue[parent]));
  }
  Duration own{};
  for (const TrueDuration& task : jobs.truth.of(stage)) own = std::max(own, task.value);
  return before + own;
}

TEST(CriticalPath, IsTheLongestSumOfLongestTasks) {
  const Workload jobs = workload()
                            .job("j")
                            .stage(0)
                            .tasks({2, 3})
                            .stage(1, {0})
                            .tasks({4, 1})
                            .stage(2)
                            .tasks({6})
                            .stage(3, {1, 2})
                            .tasks({5})
                            .build();
  EXPECT_EQ(critical_path(jobs.catalogue, jobs.truth, first), 12s);
}

TEST(CriticalPath, AgreesWithWalkingEveryPathAndIsNeverLongerThanTheTimeAlone) {
  check_law({.cases = 200}, [] {
    const Scenario scenario = any_scenario({});
    const Workload jobs = scenario.workload();
    for (std::uint32_t at = 0; at < jobs.catalogue.jobs.size(); ++at) {
      Duration longest{};
      for (const Stage& stage : jobs.catalogue.stages_of(jobs.catalogue[JobId(at)])) {
        longest = std::max(longest, longest_path(jobs, stage));
      }
      RC_ASSERT(critical_path(jobs.catalogue, jobs.truth, JobId(at)) == longest);
      RC_ASSERT(alone(jobs.catalogue, jobs.truth, scenario.cluster, JobId(at), 1) >= longest);
    }
  });
}

}  // namespace
}  // namespace somnus::harness
