#include "policies/capacity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/share_grid.hpp"
#include "scheduler/ranking.hpp"
#include "scheduler/rows.hpp"

namespace somnus {

static_assert(PooledRanking<Capacity> && TimedRanking<Capacity>);

std::vector<ConfigError> Capacity::config_errors(const Environment& environment) const {
  std::vector<ConfigError> config_errors;
  if (capacities.empty()) return config_errors;
  const auto& queues = environment.queues;
  const auto add = [&](std::string what) {
    config_errors.push_back({.parameter = "capacities", .what = std::move(what)});
  };
  for (const auto& [queue, capacity] : capacities) {
    if (std::ranges::find(queues, queue) != queues.end()) continue;
    add(fmt::format("there is no queue '{}' in the workload; it has {}", queue,
                    fmt::join(queues, ", ")));
  }
  for (const std::string& queue : queues) {
    if (capacities.contains(queue)) continue;
    add(fmt::format("the workload's queue '{}' has no capacity here", queue));
  }
  return config_errors;
}

void Capacity::on(const Configured& settled) {
  const Environment& environment = settled.environment;
  const auto slots = static_cast<double>(environment.cluster.slot_count());
  const bool has_slots = slots > 0;
  if (!has_slots) resources_.emplace(environment.cluster);
  double sum = 0;
  queues_.clear();
  for (const std::string& queue : environment.queues) {
    const auto entry = capacities.find(queue);
    const bool alike = capacities.empty();
    SOMNUS_CHECK(alike || entry != capacities.end(), "queue '{}' has no capacity", queue);
    const double capacity = alike ? 1 : entry->second;
    queues_.push_back(
        {.capacity = capacity, .part = 0, .most = infinity, .share = billionths(capacity)});
    sum += queues_.back().capacity;
  }
  for (Queue& queue : queues_) queue.part = queue.capacity / sum;
  if (max_capacity == 1) return;
  for (Queue& queue : queues_) {
    constexpr double rounding = 1 - 1e-9;  // 7 % of 100 slots are 7.000000000000001 in doubles
    const double share = std::max(queue.part, max_capacity) * rounding;
    queue.most = has_slots ? std::ceil(share * slots) : share;
  }
}

Capacity::PoolKey Capacity::pool_key(const Unit& job) const {
  const Queue& queue = queues_[job.queue().index()];
  if (!resources_) {
    const std::uint32_t placed = job.running_of_queue();
    if (placed >= queue.most) return closed;
    return {.over = placed, .under = queue.share};
  }
  const double share = resources_->dominant_share(job.queue(), job.jobs());
  if (share >= queue.most) return closed;
  return {.over = share_cell(share / queue.part), .under = 1};
}

std::optional<Target> Capacity::target_of(const Unit& job) const {
  const double of_job = queues_[job.queue().index()].part / job.jobs().active_jobs(job.queue());
  return Target{.entitled = of_job, .target = of_job};
}

namespace {

const Registered<Part> capacity_order =
    rows::order<Capacity>(
        "capacity", "the named queue with the fewest placed tasks for its capacity, then its jobs",
        "Yaq sections 4.2 and 6.4; Hadoop's capacity scheduler")
        .with_examples(
            {{{"by", "sjf"}, {"starvation_s", 3.05}, {"capacities", Table{{"A", 70}, {"B", 30}}}}});

}  // namespace
}  // namespace somnus
