#include "policy/capacity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "policy/ranked.hpp"

namespace somnus {

static_assert(PooledRanking<Capacity> && TimedRanking<Capacity>);

std::vector<Misfit> Capacity::misfits(const Surroundings& surroundings) const {
  std::vector<Misfit> misfits;
  if (max_capacity < 1 && surroundings.cluster.slot_count() == 0) {
    misfits.push_back({.parameter = "max_capacity",
                       .what = "is a share of all slots, and this cluster has resources and no "
                               "slots; give slots_per_node beside resources"});
  }
  if (capacities.empty()) return misfits;
  const auto& queues = surroundings.queues;
  const auto add = [&](std::string what) {
    misfits.push_back({.parameter = "capacities", .what = std::move(what)});
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
  return misfits;
}

void Capacity::on(const Settled& settled) {
  const Surroundings& surroundings = settled.surroundings;
  const auto slots = static_cast<double>(surroundings.cluster.slot_count());
  double sum = 0;
  queues_.clear();
  for (const std::string& queue : surroundings.queues) {
    const auto entry = capacities.find(queue);
    const bool alike = capacities.empty();
    SOMNUS_CHECK(alike || entry != capacities.end(), "queue '{}' has no capacity", queue);
    const double capacity = alike ? 1 : entry->second;
    queues_.push_back({.capacity = capacity, .most = infinity, .share = billionths(capacity)});
    sum += queues_.back().capacity;
  }
  if (max_capacity == 1) return;
  for (Queue& queue : queues_) {
    constexpr double rounding = 1 - 1e-9;  // 7 % of 100 slots are 7.000000000000001 in doubles
    const double own = queue.capacity * slots / sum;
    queue.most = std::ceil(std::max(own, max_capacity * slots) * rounding);
  }
}

std::optional<Target> Capacity::target_of(const Unit& job) const {
  double sum = 0;
  for (const Queue& queue : queues_) sum += queue.capacity;
  const double share = queues_[job.queue().index()].capacity / sum;
  const double of_job = share / job.jobs().active_jobs(job.queue());
  return Target{.entitled = of_job, .target = of_job};
}

}  // namespace somnus
