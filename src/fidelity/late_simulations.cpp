#include "fidelity/late_simulations.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "session/simulation.hpp"

namespace somnus {
namespace {

std::vector<JobRow> jobs_of(const Settings& settings, const Workload& workload,
                            std::optional<LateRanks> late, std::atomic<int>* stop) {
  Settings mine = settings;
  mine.log.file.clear();
  Simulation done =
      simulate_one(mine, workload, {.keep_rows = false, .late = std::move(late), .stop = stop});
  if (!done.complete) throw WorldError("stopped");
  return std::move(done.log.tables.jobs);
}

}  // namespace

LateMachine late_machine_of(const LogTables& tables) {
  LateMachine machine(std::max<std::size_t>(2, tables.ranks.size()));
  for (const LatenessRow& row : tables.lateness) {
    if (row.rank >= machine.size()) continue;
    machine[row.rank].push_back({.up_to_s = row.up_to, .looks = row.looks});
  }
  return machine;
}

double median_task_s(const Workload& workload) {
  std::vector<Duration> durations;
  for (const TrueDuration task : workload.truth.tasks) durations.push_back(task.value);
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::ranges::nth_element(durations, middle);
  return in_seconds(*middle);
}

LateMachine barely_late_machine(const Workload& workload, std::size_t ranks) {
  constexpr int steps = 100;
  const double latest_s = median_task_s(workload) / 1000;
  std::vector<LatenessCount> looks;
  for (int step = 0; step <= steps; ++step) {
    looks.push_back({.up_to_s = latest_s * step / steps, .looks = 1});
  }
  return LateMachine(ranks, looks);
}

std::vector<JobRow> simulated_jobs(const Settings& settings, const Workload& workload,
                                   std::atomic<int>* stop) {
  return jobs_of(settings, workload, {}, stop);
}

std::vector<std::vector<JobRow>> late_simulations(const Settings& settings,
                                                  const Workload& workload,
                                                  const LateMachine& machine, double speed,
                                                  std::uint32_t count, std::atomic<int>* stop) {
  LateRanks ranks;
  for (const std::vector<LatenessCount>& looks : machine) ranks.ranks.emplace_back(looks, speed);
  std::vector<std::vector<JobRow>> all(count);
  tbb::parallel_for(std::uint32_t{0}, count, [&](std::uint32_t at) {
    LateRanks mine = ranks;
    mine.seed = at;
    all[at] = jobs_of(settings, workload, std::move(mine), stop);
  });
  return all;
}

}  // namespace somnus
