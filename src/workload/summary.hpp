// A workload in twenty lines, for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/cluster.hpp"
#include "model/workload.hpp"

namespace somnus {

/// Counts, arrivals, slot-time and load, then percentiles (nearest rank) of widths and durations;
/// aligned columns with units, lines of at most 80 columns. Work of divisible stages counts as
/// slot-time, not as tasks: how many it becomes is the partitioner's choice. Weights of users, jobs
/// after others and estimates are printed where there are any. The load is that of the cluster;
/// nullptr: of 1,000 slots.
[[nodiscard]] std::string describe_workload(const WorkloadSpec& workload,
                                            const Cluster* cluster = nullptr);
/// The same for machines, all times in seconds; infinite loads are null.
[[nodiscard]] nlohmann::json workload_to_json(const WorkloadSpec& workload,
                                              const Cluster* cluster = nullptr);
/// How arrivals, widths and durations are spread, a line of bars each.
[[nodiscard]] std::string draw_workload(const WorkloadSpec& workload);

}  // namespace somnus
