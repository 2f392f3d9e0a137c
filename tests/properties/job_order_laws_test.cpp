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

TEST(JobQueueLaws, WithAThresholdOfZeroItIsFifo) {
  check_law({.cases = 200}, [] {
    const Scenario scenario = any_scenario({});
    JobOrderRules rules = any_rules();
    rules.starvation_s = 0;
    RC_ASSERT(history(scenario, "job-queue", parameters_of(rules)) ==
              history(scenario, "fifo", {}));
  });
}

// The relative threshold may starve the later of two jobs that arrived together first.
TEST(JobQueueLaws, ByEarliestJobItIsFifoWhateverTheHardThreshold) {
  check_law({.cases = 200}, [] {
    const Scenario scenario = any_scenario({});
    JobOrderRules rules = any_rules();
    rules.by = JobsBy::ejf;
    rules.starvation_relative = infinity;
    RC_ASSERT(history(scenario, "job-queue", parameters_of(rules)) ==
              history(scenario, "fifo", {}));
  });
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

// With every slot busy and every queue always waiting, "the least placed / capacity is next" keeps
//     n_j / c_j <= n_i / c_i + 1 / c_j      for all i, j
// at every instant: 70 and 30 in a hundred, to within one task.
TEST(CapacityLaws, UnderSaturationQueuesHaveTasksAsTheirCapacitiesSayToWithinOne) {
  check_law({.cases = 100}, [] {
    const int slots = *rc::gen::inRange(2, 21);
    const std::vector<double> capacities = *rc::gen::element(
        std::vector<double>{70, 30}, std::vector<double>{1, 1}, std::vector<double>{5, 3, 2});
    auto jobs = workload();
    Table shares;
    for (int at = 0; at < 9; ++at) {
      const auto queue = static_cast<std::size_t>(at) % capacities.size();
      const auto durations = *rc::gen::container<std::vector<int>>(40, rc::gen::inRange(1, 40));
      std::vector<double> tasks;
      for (const int each : durations) tasks.push_back(each / 10.0);
      jobs.job(fmt::format("j{}", at), {.queue = fmt::format("q{}", queue), .tasks = tasks});
    }
    for (std::size_t queue = 0; queue < capacities.size(); ++queue) {
      shares[fmt::format("q{}", queue)] = capacities[queue];
    }
    Conditions conditions{.order = "capacity",
                          .of_order = {{"capacities", shares}, {"by", name_of(any_by())}}};
    int looked = 0;
    conditions.rounds = [&](Time, const Engine& engine) {
      const JobTable& books = engine.jobs();
      std::vector<double> waiting(capacities.size());
      std::vector<double> placed(capacities.size());
      for (std::size_t job = 0; job < books.catalogue().jobs.size(); ++job) {
        const std::size_t queue = books.catalogue().jobs[job].queue.index();
        waiting[queue] += books.runnable(JobId(job));
        placed[queue] += books.running(JobId(job));
      }
      if (std::ranges::count(waiting, 0) > 0) return;
      ++looked;
      for (std::size_t i = 0; i < capacities.size(); ++i) {
        for (std::size_t j = 0; j < capacities.size(); ++j) {
          RC_ASSERT(placed[j] / capacities[j] <=
                    placed[i] / capacities[i] + 1 / capacities[j] + 1e-9);
        }
      }
    };
    const World world = simulate(jobs, cluster(static_cast<std::uint32_t>(slots)), conditions);
    RC_ASSERT(looked > 5);
    RC_ASSERT(world.ending == Ending::all_jobs_ended);
  });
}

TEST(CapacityLaws, NoQueueEverHasMoreThanItsMaximum) {
  int at_maximum = 0;
  check_law({.cases = 300}, [&] {
    Scenario scenario = any_scenario({});
    const double slots = static_cast<double>(scenario.cluster.slot_count());
    const double max_capacity = *rc::gen::element(0.0, 0.25, 0.5, 0.75);
    scenario.conditions.order = "capacity";
    scenario.conditions.of_order = {{"capacities", Table{{"A", 1}, {"B", 1}}},
                                    {"max_capacity", max_capacity}};
    const bool both = scenario.workload().catalogue.queues == 2;
    const double share = std::max(both ? 0.5 : 1.0, max_capacity);
    scenario.conditions.rounds = [&](Time, const Engine& engine) {
      for (std::uint32_t queue = 0; queue < engine.jobs().catalogue().queues; ++queue) {
        const double placed = engine.jobs().running(QueueId(queue));
        RC_ASSERT(placed < share * slots + 1);
        at_maximum += both && placed >= share * slots ? 1 : 0;
      }
    };
    RC_ASSERT(run(scenario).ending == Ending::all_jobs_ended);
  });
  EXPECT_GT(at_maximum, 100) << "no queue came near its maximum";
}

}  // namespace
}  // namespace somnus::harness
