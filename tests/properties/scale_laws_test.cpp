// Another unit of time is no other problem: all times of a workload and of its scheduler times 10,
// 1,000 or 1/8 change no decision. Times are drawn from small sets, so that keys tie everywhere; a
// tie that rounding decides would be decided another way in another unit. Nor do names matter, the
// order of lines in the workload, or a factor of all weights.
#include <gtest/gtest.h>

#include <string_view>
#include <tuple>

#include "harness/property.hpp"
#include "harness/queue_scenarios.hpp"
#include "harness/scenarios.hpp"

namespace somnus::harness {
namespace {

struct Scale {
  std::int64_t over = 1;
  std::int64_t under = 1;

  [[nodiscard]] Duration operator()(Duration span) const { return span * over / under; }
  [[nodiscard]] Time operator()(Time time) const {
    return time == never ? never : Time((*this)(time.time_since_epoch()));
  }
  // Of seconds that are whole nanoseconds before and after.
  [[nodiscard]] double operator()(double span_s) const {
    return span_s < longest_exact_seconds ? in_seconds((*this)(seconds(span_s))) : span_s;
  }
};
std::ostream& operator<<(std::ostream& out, const Scale& scale) {
  return out << scale.over << '/' << scale.under;
}

// All that is a time, in everything that a scheduler is given.
Scenario scaled(Scenario scenario, const Scale& scale) {
  for (JobSpec& job : scenario.jobs.jobs) {
    job.submit = scale(job.submit);
    job.think = scale(job.think);
    for (StageSpec& stage : job.stages) {
      for (auto* const list : {&stage.durations, &stage.first, &stage.fresh}) {
        for (double& duration : *list) duration = scale(duration);
      }
    }
  }
  Conditions& conditions = scenario.conditions;
  for (const char* name : {"starvation_s", "grace_s"}) {
    if (!conditions.of_order.contains(name)) continue;
    conditions.of_order[name] = scale(*conditions.of_order.at(name).number());
  }
  const bool default_grace = !conditions.of_order.contains("grace_s");
  if (conditions.order == "uwfq" && default_grace) conditions.of_order["grace_s"] = scale(2.0);
  conditions.nodes.network.mean = scale(conditions.nodes.network.mean);
  conditions.nodes.heartbeat_interval = scale(conditions.nodes.heartbeat_interval);
  conditions.nodes.heartbeat_delay = scale(conditions.nodes.heartbeat_delay);
  Parameters warmup = conditions.nodes.warmup.parameters();
  if (warmup.contains("start_s")) warmup["start_s"] = scale(*warmup.at("start_s").number());
  conditions.nodes.warmup = Warmup(conditions.nodes.warmup.row().name, warmup);
  for (NodeFault& fault : conditions.nodes.faults) fault.at = scale(fault.at);
  conditions.loop.until = scale(conditions.loop.until);
  conditions.loop.last_words = scale(conditions.loop.last_words);
  conditions.rules.speculation.least = scale(conditions.rules.speculation.least);
  return scenario;
}

using Launched = std::tuple<Time, TaskId, std::uint16_t, NodeId>;

// The decisions, with their times in another unit.
std::vector<Launched> decisions(const World& world, const Scale& scale = {}) {
  std::vector<Launched> list;
  for (const Decision& each : world.decisions) {
    list.emplace_back(scale(each.at), each.launch.task, each.launch.attempt, each.launch.node);
  }
  return list;
}

// Multiples of 0.1 s, few of them, and weights in decimals.
Scenario scenario_of_ties(const AnyOrder& order, const Terrain& terrain) {
  Scenario scenario = any_scenario(terrain);
  scenario.conditions.order = order.order;
  scenario.conditions.of_order = order.parameters;
  scenario.conditions.nodes.fault_model.fails = 0;  // at a random part of the task
  scenario.conditions.nodes.random_phase = false;
  if (*rc::gen::arbitrary<bool>()) draw::speculate(scenario.conditions);
  const int most = *rc::gen::element(1, 2, 5);
  const int longest = *rc::gen::element(3, 20, 60);
  for (JobSpec& job : scenario.jobs.jobs) {
    job.weight = *rc::gen::element(1.0, 1.0, 0.1, 0.3, 0.7);
    job.submit = *rc::gen::inRange(0, longest) / 10.0;
    for (StageSpec& stage : job.stages) {
      for (double& duration : stage.durations) duration = *rc::gen::inRange(1, most + 1) / 10.0;
      // Carbyne adds means to moments, in whole nanoseconds.
      const bool plans = order.order == "carbyne";
      if (plans) stage.durations.assign(stage.durations.size(), stage.durations.front());
    }
  }
  for (UserSpec& user : scenario.jobs.users) {
    user.weight = *rc::gen::element(1.0, 1.0, 0.1, 0.3, 3.0);
  }
  std::ranges::stable_sort(scenario.jobs.jobs, {}, &JobSpec::submit);
  return scenario;
}

class ScaleLaws : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ScaleLaws, MultiplyingAllTimesChangesNoDecisionWithFeedbackAtOnce) {
  check_law({.cases = 700}, [&] {
    const Scenario scenario =
        scenario_of_ties(any_order()[GetParam()], {.instant = true, .faults = false});
    const Scale scale = *rc::gen::element(Scale{10, 1}, Scale{1000, 1}, Scale{1, 8});
    RC_ASSERT(decisions(run(scaled(scenario, scale))) == decisions(run(scenario), scale));
  });
}

TEST_P(ScaleLaws, NorWithDelaysHeartbeatsAndFaults) {
  check_law({.cases = 300}, [&] {
    const Scenario scenario = scenario_of_ties(any_order()[GetParam()], {.jitter = false});
    const Scale scale = *rc::gen::element(Scale{10, 1}, Scale{1000, 1}, Scale{1, 8});
    RC_ASSERT(decisions(run(scaled(scenario, scale))) == decisions(run(scenario), scale));
  });
}

// A float64 of seconds holds these submits, so late too.
TEST_P(ScaleLaws, NorDoesBeginningYearsLater) {
  check_law({.cases = 150}, [&] {
    const AnyOrder& order = any_order()[GetParam()];
    const Scenario scenario =
        scaled(scenario_of_ties(order, {.instant = true, .faults = false}), Scale{5, 4});
    const double later_s = *rc::gen::element(1e7, 315'360'000.0, 999'000'000.0);
    Scenario other = scenario;
    for (JobSpec& job : other.jobs.jobs) job.submit += later_s;
    if (other.conditions.loop.until != never) other.conditions.loop.until += seconds(later_s);
    std::vector<Launched> later = decisions(run(other));
    for (Launched& each : later) std::get<Time>(each) -= seconds(later_s);
    RC_ASSERT(later == decisions(run(scenario)));
  });
}

/// f1's constants are of seconds since the run's start, and so are the priority's periods and las'
/// thresholds: in another unit they are other orders.
bool has_a_unit(std::string_view order) {
  return order == "f1" || order == "priority" || order == "las";
}

std::vector<std::size_t> orders_without_units() {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < any_order().size(); ++at) {
    if (!has_a_unit(any_order()[at].order)) places.push_back(at);
  }
  return places;
}

INSTANTIATE_TEST_SUITE_P(Every, ScaleLaws, ::testing::ValuesIn(orders_without_units()),
                         [](const auto& each) {
                           std::string name = any_order()[each.param].order;
                           std::ranges::replace(name, '-', '_');
                           return fmt::format("{}_{}", name, each.param);
                         });

// What 1 / W was with one sum of weights is a tie with any other.
TEST(ScaleLaws, WithOneUserOfAnyWeightUwfqIsCfqInTiesToo) {
  check_law({.cases = 1500}, [] {
    Scenario scenario = scenario_of_ties({"cfq", {}}, {.instant = true, .faults = false});
    for (JobSpec& job : scenario.jobs.jobs) job.user = "ann";
    const auto cfq = decisions(run(scenario));
    scenario.conditions.order = "uwfq";
    for (const double grace_s : {0.0, 2.0}) {
      scenario.conditions.of_order = {{"grace_s", grace_s}};
      RC_ASSERT(decisions(run(scenario)) == cfq);
    }
  });
}

// Systems with queues at nodes. Left out is what they round: limits for rebalancing, draws of
// times, and means of a stage's unlike tasks, which nodes get in whole nanoseconds.
TEST(ScaleLaws, NorWithQueuesAtNodes) {
  check_law({.cases = 500}, [] {
    Scenario scenario = any_queueing_scenario({.jitter = false, .rebalancing = false});
    Conditions& conditions = scenario.conditions;
    RC_PRE(!has_a_unit(conditions.order));
    conditions.nodes.fault_model.fails = 0;  // at a random part of the task
    conditions.nodes.random_phase = false;
    conditions.loop.job_managers.launch = LaunchModel::constant;
    conditions.loop.job_managers.poll_s = 0;
    for (JobSpec& job : scenario.jobs.jobs) {
      for (StageSpec& stage : job.stages) {
        stage.durations.assign(stage.durations.size(), stage.durations.front());
      }
    }
    if (conditions.placement == "least-loaded") conditions.of_placement["interval_s"] = 1.0;
    const Scale scale = *rc::gen::element(Scale{10, 1}, Scale{1000, 1}, Scale{1, 8});
    Scenario other = scaled(scenario, scale);
    if (conditions.queue) {
      QueueRules& queue = *other.conditions.queue;
      queue.max_wait_s = scale(queue.max_wait_s);
      queue.starvation_s = scale(queue.starvation_s);
    }
    JobManagerRules& managers = other.conditions.loop.job_managers;
    managers.launch_s = scale(managers.launch_s);
    if (conditions.placement == "least-loaded") {
      other.conditions.of_placement["interval_s"] = scale(1.0);
    }
    RC_ASSERT(decisions(run(other)) == decisions(run(scenario), scale));
  });
}

TEST(NameLaws, OtherNamesForJobsAndUsersAndOtherLabelsForStagesChangeNothing) {
  check_law({.cases = 500}, [] {
    const Scenario scenario = any_scenario({});
    Scenario renamed = scenario;
    for (JobSpec& job : renamed.jobs.jobs) {
      std::ranges::reverse(job.job);
      job.user = "z" + std::string(job.user.rbegin(), job.user.rend());
      for (StageSpec& stage : job.stages) {
        stage.stage = 1000 - stage.stage * stage.stage;
        for (std::uint32_t& parent : stage.parents) parent = 1000 - parent * parent;
      }
    }
    for (UserSpec& user : renamed.jobs.users) {
      user.user = "z" + std::string(user.user.rbegin(), user.user.rend());
    }
    RC_ASSERT(transcript(run(renamed)) == transcript(run(scenario)));
  });
}

TEST(NameLaws, TheOrderOfLinesInTheWorkloadDoesNotMatterWhereSubmitTimesDiffer) {
  check_law({.cases = 100}, [] {
    Scenario scenario = any_scenario({});
    double apart = 0;
    for (JobSpec& job : scenario.jobs.jobs) {
      job.submit += apart;
      apart += 0.001;
    }
    const std::string straight = transcript(run(scenario));
    std::reverse(scenario.jobs.jobs.begin(), scenario.jobs.jobs.end());
    RC_ASSERT(transcript(run(scenario)) == straight);
  });
}

TEST(NameLaws, TwiceTheWeightForAllIsTheSameRun) {
  check_law({.cases = 100}, [] {
    Scenario scenario = any_scenario({});
    const std::string once = transcript(run(scenario));
    for (JobSpec& job : scenario.jobs.jobs) job.weight *= 2;  // exact in binary
    RC_ASSERT(transcript(run(scenario)) == once);
  });
}

}  // namespace
}  // namespace somnus::harness
