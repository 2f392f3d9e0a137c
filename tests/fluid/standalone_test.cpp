#include "fluid/standalone.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/property.hpp"
#include "harness/scenarios.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

constexpr JobId first(0U);

Duration alone_on(const WorkloadBuilder& jobs, const Cluster& cluster, const Warmup& warmup = {}) {
  const Workload built = jobs.build(cluster.slot_count());
  return alone(built.catalogue, built.truth, cluster, first, warmup);
}

TEST(Alone, StartsAStageWhenItsParentsHaveEnded) {
  const auto diamond = workload()
                           .job("j")
                           .stage(0, {.tasks = {2, 3}})
                           .stage(1, {.parents = {0}, .tasks = {4}})
                           .stage(2, {.parents = {0}, .tasks = {1}})
                           .stage(3, {.parents = {1, 2}, .tasks = {5}});
  EXPECT_EQ(alone_on(diamond, cluster(9)), 12s);
  EXPECT_EQ(alone_on(diamond, cluster(1)), 15s);
}

TEST(Alone, ChargesTheFirstTaskOnEachSlotForTheColdStart) {
  // Cold: 6 and 4; the third task follows on the slot that is free at 4, warm.
  EXPECT_EQ(alone_on(workload().job("j", {.tasks = {3, 2, 2}}), cluster(2), reuse_warmup(2)), 6s);
  EXPECT_EQ(alone_on(workload().job("j", {.tasks = {3, 2, 2}}), cluster(3), reuse_warmup(2)), 6s);
  EXPECT_EQ(alone_on(workload().job("j", {.tasks = {3, 2, 2}}), cluster(1), reuse_warmup(2)), 10s);
}

TEST(Alone, StartsAJvmOnEachSlotAndWarmsItUp) {
  // 2 s x (2, 1.5, 1) and 1 s to start: 5 + 3 + 2 on one slot; on two, 5 and 5, then 3.
  const auto three = workload().job("j", {.tasks = {2, 2, 2}});
  EXPECT_EQ(alone_on(three, cluster(1), executor_warmup(1, 2, 2)), 10s);
  EXPECT_EQ(alone_on(three, cluster(2), executor_warmup(1, 2, 2)), 8s);
  EXPECT_EQ(alone_on(three, cluster(3), executor_warmup(1, 2, 2)), 5s);
}

TEST(Alone, TakesWhatWasMeasuredAfterTheSlotsLastStage) {
  const auto two = workload()
                       .job("j")
                       .stage(0, {.tasks = {1, 1, 1}, .fresh = {4, 4, 4}, .first = {2, 2, 2}})
                       .stage(1, {.parents = {0}, .tasks = {1, 1}, .first = {3, 3}});
  // 4, 1, 1, then 3, 1.
  EXPECT_EQ(alone_on(two, cluster(1), measured_warmup()), 10s);
  // 4 and 4, 1 after one; then 3 on each.
  EXPECT_EQ(alone_on(two, cluster(2), measured_warmup()), 8s);
  EXPECT_EQ(alone_on(two, cluster(2)), 3s);
}

TEST(Alone, OnANumberOfSlotsIsAloneOnANodeOfThatManyWhateverElseIsDemanded) {
  const Workload jobs =
      workload().resources({"cpu"}).job("j", {.tasks = {3, 2, 2}, .demand = {7}}).build();
  EXPECT_EQ(alone(jobs.catalogue, jobs.truth, 1, first, {}), 7s);
  EXPECT_EQ(alone(jobs.catalogue, jobs.truth, 2, first, {}), 4s);
  EXPECT_EQ(alone(jobs.catalogue, jobs.truth, 3, first, {}), 3s);
  EXPECT_EQ(alone(jobs.catalogue, jobs.truth, 1, first, reuse_warmup(2)), 10s);
}

// The later a stage stands, the earlier it runs.
TEST(Alone, AndTheCriticalPathOfAChainOf50000StagesTakeNoLongerThanItsStages) {
  constexpr std::uint32_t stages = 50'000;
  auto chain = workload().job("j");
  for (std::uint32_t at = 0; at < stages; ++at) {
    if (at + 1 < stages) {
      chain.stage(at, {.parents = {at + 1}, .tasks = {1}});
    } else {
      chain.stage(at, {.tasks = {1}});
    }
  }
  const Workload built = chain.build(2);
  EXPECT_EQ(alone(built.catalogue, built.truth, cluster(2), first, {}), stages * 1s);
  EXPECT_EQ(critical_path(built.catalogue, built.truth, first), stages * 1s);
}

TEST(Alone, RunsAsManyTasksAtOnceAsTheirDemandLets) {
  const Cluster vectors{.groups = {{.count = 2, .slots = 8, .capacity = amounts({4, 8})}},
                        .resources = {"cpu", "mem_gb"}};
  auto jobs = workload();
  jobs.resources({"cpu", "mem_gb"}).job("j", {.tasks = {1, 1, 1, 1, 1, 1}, .demand = {2, 3}});
  EXPECT_EQ(alone_on(jobs, vectors), 2s);  // two on each node
}

/// One job first come, first served, without delays and faults.
Scenario any_lone_job() {
  Scenario scenario = any_scenario({.instant = true, .faults = false, .vectors = false});
  scenario.jobs.jobs.resize(1);
  scenario.conditions.order = "fifo";
  scenario.conditions.of_order = {};
  return scenario;
}

/// `cluster`: the scenario's, or its number of slots.
void expect_response_alone(const Scenario& scenario, const World& world, const auto& cluster) {
  const Workload& jobs = world.workload;
  RC_ASSERT(alone(jobs.catalogue, jobs.truth, cluster, first, scenario.conditions.nodes.warmup) ==
            world.finish[0] - jobs.catalogue[first].submit);
}

TEST(Alone, IsTheResponseTimeOfTheJobWhenItIsReallyAlone) {
  check_law({.cases = 200}, [] {
    Scenario scenario = any_lone_job();
    scenario.conditions.nodes.warmup = {};
    for (NodeGroup& group : scenario.cluster.groups) group.slowdown = 1;
    expect_response_alone(scenario, run(scenario), scenario.cluster);
  });
}

TEST(Alone, IsTheResponseTimeOfTheJobAloneOnOneNodeUnderEveryWarmUpModel) {
  check_law({.cases = 400}, [] {
    Scenario scenario = any_lone_job();
    scenario.cluster.groups.resize(1);
    scenario.cluster.groups[0].count = 1;
    scenario.cluster.groups[0].slowdown = 1;
    const World world = run(scenario);
    expect_response_alone(scenario, world, scenario.cluster);
    expect_response_alone(scenario, world, scenario.cluster.slot_count());
  });
}

// With several nodes the scheduler chooses the node and knows nothing of its JVMs. Where the first
// wave takes all slots that makes no difference to reuse: whatever is free is warm.
TEST(Alone, IsTheResponseTimeOfTheJobAloneOnNodesOfOneSlotThatItsFirstStageFills) {
  check_law({.cases = 200}, [] {
    Scenario scenario = any_lone_job();
    scenario.conditions.nodes.warmup = reuse_warmup(3);
    const std::size_t width = scenario.jobs.jobs[0].stages[0].durations.size();
    scenario.cluster = cluster(static_cast<std::uint32_t>(draw::integer(1, int(width))));
    expect_response_alone(scenario, run(scenario), scenario.cluster);
  });
}

TEST(Alone, IsNeverShorterThanWithoutAWarmUp) {
  check_law({.cases = 200}, [] {
    const Scenario scenario = any_scenario({});
    const Workload jobs = scenario.workload();
    const Warmup warmup = draw::warmup();
    RC_ASSERT(alone(jobs.catalogue, jobs.truth, 1, first, warmup) >=
              alone(jobs.catalogue, jobs.truth, 1, first, {}));
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
      RC_ASSERT(alone(jobs.catalogue, jobs.truth, scenario.cluster, JobId(at), {}) >= longest);
    }
  });
}

}  // namespace
}  // namespace somnus::harness
