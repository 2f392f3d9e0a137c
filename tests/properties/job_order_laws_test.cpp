// What makes the job queue and capacity sharing what they are, in random worlds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "harness/job_order_oracle.hpp"
#include "harness/property.hpp"
#include "harness/scenarios.hpp"

namespace somnus::harness {
namespace {

JobsBy any_by() { return *rc::gen::element(JobsBy::ejf, JobsBy::srjf, JobsBy::lrtf, JobsBy::sjf); }

// Never a multiple of 0.1 s of wait, so that rounding decides nothing.
double any_threshold() { return *rc::gen::element(0.0, 0.55, 2.05, 5.05, infinity); }
double any_relative() { return *rc::gen::element(0.0, 0.517, 1.617, infinity, infinity); }

using Shares = std::map<std::string, double>;

JobOrderRules any_rules() {
  JobOrderRules rules;
  rules.by = any_by();
  rules.starvation_s = any_threshold();
  rules.starvation_relative = any_relative();
  return rules;
}

Parameters parameters_of(const JobOrderRules& rules) {
  return {{"by", name_of(rules.by)},
          {"starvation_s", rules.starvation_s},
          {"starvation_relative", rules.starvation_relative}};
}

Parameters with_capacities(const JobOrderRules& rules) {
  Parameters parameters = parameters_of(rules);
  parameters["capacities"] = value_of(rules.capacities);
  parameters["max_capacity"] = rules.max_capacity;
  return parameters;
}

std::string history(Scenario scenario, const std::string& order, Parameters parameters) {
  scenario.conditions.order = order;
  scenario.conditions.of_order = std::move(parameters);
  return transcript(run(scenario));
}

struct Watch {
  int choices = 0;
  int with_starved = 0;
};

void watch(Watch& sum, Scenario scenario, const std::string& order, const JobOrderRules& rules,
           Parameters parameters) {
  scenario.conditions.order = order;
  scenario.conditions.of_order = std::move(parameters);
  const Workload jobs = scenario.workload();
  JobOrderOracle oracle(jobs, static_cast<double>(scenario.cluster.slot_count()), rules);
  scenario.conditions.wrap = [&](std::unique_ptr<Policy> policy) {
    return std::make_unique<Watched>(std::move(policy), oracle);
  };
  const World world = simulate(jobs, scenario.cluster, scenario.conditions);
  RC_ASSERT(world.ending == Ending::all_jobs_ended);
  RC_ASSERT(oracle.violations() == std::vector<std::string>());
  sum.choices += oracle.choices();
  sum.with_starved += oracle.choices_with_starved();
}

TEST(JobQueueLaws, NobodyIsServedWhileSomeoneBeforeHimFitsANode) {
  Watch sum;
  check_law({.cases = 1500}, [&] {
    const Scenario scenario = any_scenario({});
    const JobOrderRules rules = any_rules();
    watch(sum, scenario, "job-queue", rules, parameters_of(rules));
  });
  EXPECT_GT(sum.choices, 500) << "the worlds left the order nothing to decide";
  EXPECT_GT(sum.with_starved, 200) << "nobody starved";
}

TEST(CapacityLaws, NobodyIsServedWhileSomeoneBeforeHimFitsANodeAndMayHaveMore) {
  Watch sum;
  check_law({.cases = 1500}, [&] {
    const Scenario scenario = any_scenario({});
    JobOrderRules rules = any_rules();
    rules.capacities = *rc::gen::element(Shares{{"A", 70}, {"B", 30}}, Shares{{"A", 1}, {"B", 1}},
                                         Shares{{"B", 9}, {"A", 1}});
    rules.max_capacity = *rc::gen::element(0.0, 0.3, 0.6, 1.0, 1.0);
    watch(sum, scenario, "capacity", rules, with_capacities(rules));
  });
  EXPECT_GT(sum.choices, 500) << "the worlds left the order nothing to decide";
  EXPECT_GT(sum.with_starved, 200) << "nobody starved";
}

TEST(JobQueueLaws, WithIdenticalTasksLeastRemainingWorkIsFewestTasks) {
  check_law({.cases = 200}, [] {
    Scenario scenario = any_scenario({});
    const double duration = *rc::gen::element(0.1, 0.3, 1.0, 2.3);
    for (JobSpec& job : scenario.jobs.jobs) {
      for (StageSpec& stage : job.stages) std::ranges::fill(stage.durations, duration);
    }
    JobOrderRules rules = any_rules();
    rules.by = JobsBy::srjf;
    const std::string by_work = history(scenario, "job-queue", parameters_of(rules));
    rules.by = JobsBy::lrtf;
    RC_ASSERT(history(scenario, "job-queue", parameters_of(rules)) == by_work);
  });
}

TEST(CapacityLaws, WithOneQueueItIsTheJobQueue) {
  check_law({.cases = 200}, [] {
    Scenario scenario = any_scenario({});
    for (JobSpec& job : scenario.jobs.jobs) job.queue = "all";
    JobOrderRules rules = any_rules();
    const std::string of_jobs = history(scenario, "job-queue", parameters_of(rules));
    rules.capacities = *rc::gen::element(Shares(), Shares{{"all", 3}});
    RC_ASSERT(history(scenario, "capacity", with_capacities(rules)) == of_jobs);
  });
}

}  // namespace
}  // namespace somnus::harness
