// Simulations with late ranks, which differ in the draws of the lateness only.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/lateness.hpp"
#include "config/settings.hpp"
#include "log/log.hpp"
#include "model/workload.hpp"

namespace somnus {

/// How late each rank's looks were, rank 0 first, in real seconds.
using LateMachine = std::vector<std::vector<LatenessCount>>;

/// What the log of a run measured; of a simulation ranks that are never late.
[[nodiscard]] LateMachine late_machine_of(const LogTables& tables);

[[nodiscard]] double median_task_s(const Workload& workload);

/// As many ranks that are late by up to a thousandth of the median task, at speed 1. What moves
/// with such ranks moves with any disturbance: it shows the scheduler's sensitivity.
[[nodiscard]] LateMachine barely_late_machine(const Workload& workload, std::size_t ranks);

/// What becomes of the jobs where nothing is late.
[[nodiscard]] std::vector<JobRow> simulated_jobs(const Settings& settings, const Workload& workload,
                                                 std::atomic<int>* stop);
/// What becomes of them in as many simulations as late as that machine would be at that speed, by
/// other draws each, several at once.
[[nodiscard]] std::vector<std::vector<JobRow>> late_simulations(const Settings& settings,
                                                                const Workload& workload,
                                                                const LateMachine& machine,
                                                                double speed, std::uint32_t count,
                                                                std::atomic<int>* stop);

}  // namespace somnus
