// How busy a node is that is filled up to r running and b queued tasks at its heartbeats, with
// exponential tasks: simulated, and by the corrected Proposition 2 of Yaq (policies.md 4.1). The
// oracle shares nothing with the closed form: it integrates the death process itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/random.hpp"
#include "harness/queue_scenarios.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t slots_a_node = 10;
constexpr double interval_s = 3;

/// Mean share of busy slots over an interval. p[n], n tasks at the node, falls from n at the rate
/// min(n, r) / mean; fourth-order Runge-Kutta over time.
double expected_utilisation(double mean_s, std::uint32_t queue) {
  using State = std::vector<double>;  // p[0..r+b], then the busy slots' integral
  const std::size_t full = slots_a_node + queue;
  const auto slope = [&](const State& state) {
    State change(state.size());
    for (std::size_t n = 1; n <= full; ++n) {
      const double busy = static_cast<double>(std::min<std::size_t>(n, slots_a_node));
      const double flow = state[n] * busy / mean_s;
      change[n] -= flow;
      change[n - 1] += flow;
      change[full + 1] += state[n] * busy;
    }
    return change;
  };
  const auto plus = [](State state, const State& change, double step) {
    for (std::size_t at = 0; at < state.size(); ++at) state[at] += step * change[at];
    return state;
  };
  State state(full + 2);
  state[full] = 1;
  constexpr int steps = 600;
  const double step = interval_s / steps;
  for (int at = 0; at < steps; ++at) {
    const State first = slope(state);
    const State second = slope(plus(state, first, step / 2));
    const State third = slope(plus(state, second, step / 2));
    const State fourth = slope(plus(state, third, step));
    state = plus(state, first, step / 6);
    state = plus(state, second, step / 3);
    state = plus(state, third, step / 3);
    state = plus(state, fourth, step / 6);
  }
  return state[full + 1] / (slots_a_node * interval_s);
}

TEST(QueueUtilisation, TheOracleAgreesWithTheTabulatedValues) {
  const std::map<double, std::vector<double>> tabulated = {
      {5, {.7520, .8171, .8712, .9139, .9457, .9678, .9821}},
      {10, {.8639, .9247, .9626, .9834, .9934, .9976, .9992}},
      {30, {.9516, .9871, .9972, .9995, .9999, 1, 1}},
      {50, {.9706, .9949, .9993, .9999, 1, 1, 1}}};
  for (const auto& [mean_s, values] : tabulated) {
    for (std::uint32_t queue = 0; queue <= 6; ++queue) {
      EXPECT_NEAR(expected_utilisation(mean_s, queue), values[queue], 5.1e-5)
          << mean_s << " s, queue " << queue;
    }
  }
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
