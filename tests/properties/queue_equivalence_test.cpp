// Systems with queues that must do the same as another one.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "harness/property.hpp"
#include "harness/queue_scenarios.hpp"

namespace somnus::harness {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool waits_at_nodes(const World& world) {
  return std::ranges::any_of(world.attempts, [](const Attempt& each) {
    return each.started != never && each.started > each.queued;
  });
}

TEST(QueueEquivalence, YaqCWithQueuesOfNoLengthIsYarn) {
  check_law({.cases = 300}, [] {
    Scenario scenario = any_queueing_scenario({.jitter = false});
    const NodeModel nodes = scenario.conditions.nodes;
    scenario.conditions = conditions_of("yarn");
    scenario.conditions.nodes = nodes;
    scenario.conditions.nodes.random_phase = true;  // else several nodes come at once, in an order
    scenario.conditions.loop.until = at_seconds(4000);
    const std::string yarn = attempts_of(run(scenario));
    scenario.conditions = conditions_of("yaq-c");
    scenario.conditions.queue->length = 0;
    scenario.conditions.nodes = nodes;
    scenario.conditions.nodes.random_phase = true;
    scenario.conditions.loop.until = at_seconds(4000);
    RC_ASSERT(attempts_of(run(scenario)) == yarn);
  });
}

TEST(QueueEquivalence, WithIdenticalTasksTheLeastWorkIsTheFewestTasks) {
  std::size_t waited = 0;
  check_law({.cases = 300}, [&] {
    Scenario scenario = any_queueing_scenario({});
    RC_PRE(scenario.conditions.queue.has_value());
    const double duration = *rc::gen::element(0.1, 1.0, 1.0 / 3, 0.7);
    for (JobSpec& job : scenario.jobs.jobs) {
      for (StageSpec& stage : job.stages) std::ranges::fill(stage.durations, duration);
    }
    scenario.conditions.queue->reorder = Reordering::named("srjf");
    const World srjf = run(scenario);
    scenario.conditions.queue->reorder = Reordering::named("lrtf");
    RC_ASSERT(transcript(run(scenario)) == transcript(srjf));
    waited += waits_at_nodes(srjf) ? 1U : 0U;
  });
  EXPECT_GT(waited, 50U);
}

// Shedding spares the starved, and both estimates of waits and what a lost node reports go by the
// order of the keys, so the two are one only where nothing depends on these.
TEST(QueueEquivalence, WithAThresholdOfZeroEveryStrategyIsTheEarliestJobFirst) {
  std::size_t waited = 0;
  check_law({.cases = 400}, [&] {
    Scenario scenario =
        any_queueing_scenario({.faults = false, .late_binding = false, .rebalancing = false});
    RC_PRE(scenario.conditions.queue.has_value());
    QueueRules& rules = *scenario.conditions.queue;
    RC_PRE(scenario.conditions.placement != "queue-wait" && rules.bound != QueueBound::delay);
    rules.reorder = Reordering::named("ejf");
    rules.starvation_s = infinity;
    rules.starvation_relative = infinity;
    const World ejf = run(scenario);
    rules.reorder = *rc::gen::element(Reordering::named("srjf"), Reordering::named("lrtf"),
                                      Reordering::named("stf"));
    rules.starvation_s = 0;
    RC_ASSERT(transcript(run(scenario)) == transcript(ejf));
    waited += waits_at_nodes(ejf) ? 1U : 0U;
  });
  EXPECT_GT(waited, 50U);
}

TEST(QueueEquivalence, AQueueThatNobodyHasToUseChangesNothing) {
  check_law({.cases = 200}, [] {
    Scenario scenario = any_queueing_scenario({.jitter = false});
    scenario.conditions.feedback = "heartbeat";
    scenario.conditions.placement = "any-free";
    scenario.conditions.of_placement = {};
    scenario.conditions.queue = {};
    const std::string without = attempts_of(run(scenario));
    scenario.conditions.queue = QueueRules{.bound = QueueBound::length, .length = 0};
    RC_ASSERT(attempts_of(run(scenario)) == without);
  });
}

}  // namespace
}  // namespace somnus::harness
