// How busy a node is that is filled up to r running and b queued tasks at its heartbeats, with
// exponential tasks: simulated, and by the corrected Proposition 2 of Yaq (policies.md 4.1), whose
// numbers tests/fluid/queue_length_test.cpp checks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/random.hpp"
#include "fluid/queue_length.hpp"
#include "harness/queue_scenarios.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t slots_a_node = 10;
constexpr double interval_s = 3;

double expected_utilisation(double mean_s, std::uint32_t queue) {
  return utilisation({.slots = slots_a_node, .heartbeat_s = interval_s, .task_duration_s = mean_s},
                     queue);
}

struct Measured {
  double mean = 0;
  double error = 0;  // standard error of it
  std::size_t intervals = 0;
};

/// Exponential tasks are without memory, so what happens in each interval of each node is
/// independent of all else: one interval is one batch.
Measured measure(Conditions conditions, double mean_s) {
  constexpr std::uint32_t nodes = 20;
  constexpr double lasting_s = 900;
  const auto tasks = static_cast<std::size_t>(nodes * slots_a_node * lasting_s / mean_s);
  std::vector<double> durations(tasks);
  RandomStream draw(7, "durations");
  for (double& duration : durations) duration = draw.exponential(mean_s);
  conditions.nodes.heartbeat_interval = seconds(interval_s);
  conditions.loop.job_managers = {};
  const World world =
      simulate(workload().job("j", {.tasks = durations}), cluster(nodes, slots_a_node), conditions);
  EXPECT_EQ(world.ending, Ending::all_jobs_ended);

  // Until the last task was placed, each heartbeat found enough of them.
  const Time saturated = world.decisions.back().at;
  std::map<NodeId, std::vector<Time>> beats;
  for (const Heard& heard : world.events) {
    const auto* offer = std::get_if<NodeOffered>(&heard.event);
    if (offer != nullptr && heard.at < saturated) beats[offer->node].push_back(heard.at);
  }
  std::map<NodeId, std::vector<double>> busy_s;  // by interval
  for (const auto& [node, times] : beats) busy_s[node].resize(times.size() - 1);
  for (const Attempt& each : world.attempts) {
    const std::vector<Time>& times = beats.at(each.node);
    auto next = std::ranges::upper_bound(times, each.started);
    for (Time from = each.started; next != times.end() && from < each.finished; ++next) {
      const Time to = std::min(each.finished, *next);
      busy_s[each.node][std::size_t(next - times.begin()) - 1] += in_seconds(to - from);
      from = to;
    }
  }
  Measured measured;
  double squares = 0;
  for (const auto& [node, intervals] : busy_s) {
    for (const double busy : intervals) {
      const double share = busy / (slots_a_node * interval_s);
      ++measured.intervals;
      measured.mean += share;
      squares += share * share;
    }
  }
  const auto count = static_cast<double>(measured.intervals);
  measured.mean /= count;
  measured.error = std::sqrt((squares / count - measured.mean * measured.mean) / count);
  return measured;
}

// Of 28 deviations each, all within four standard errors; 5e-5 for those that are all but never
// idle.
void expect_as_computed(const Conditions& conditions) {
  for (const double mean_s : {5.0, 10.0, 30.0, 50.0}) {
    double last = 0;
    for (std::uint32_t queue = 0; queue <= 6; ++queue) {
      Conditions bounded = conditions;
      bounded.queue->length = queue;
      const Measured measured = measure(bounded, mean_s);
      EXPECT_GT(measured.intervals, 4000U);
      EXPECT_NEAR(measured.mean, expected_utilisation(mean_s, queue), 4 * measured.error + 5e-5)
          << mean_s << " s, queue " << queue;
      EXPECT_GT(measured.mean, last - 4 * measured.error) << "more queue, no less busy";
      last = measured.mean;
    }
  }
}

TEST(QueueUtilisation, OfYaqCIsAsComputed) { expect_as_computed(conditions_of("yaq-c")); }

TEST(QueueUtilisation, OfPlainQueuesWithAlignedHeartbeatsIsAsComputed) {
  Conditions conditions = conditions_of("yarn+q");
  conditions.nodes.random_phase = false;
  expect_as_computed(conditions);
}

TEST(QueueUtilisation, OfYarnIsAsComputedForNoQueue) {
  for (const double mean_s : {5.0, 10.0, 30.0, 50.0}) {
    const Measured measured = measure(conditions_of("yarn"), mean_s);
    EXPECT_NEAR(measured.mean, expected_utilisation(mean_s, 0), 4 * measured.error) << mean_s;
  }
}

}  // namespace
}  // namespace somnus::harness
