// A finished log's tables as what a scheduler works with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "log/log.hpp"
#include "model/cluster.hpp"
#include "model/workload.hpp"

namespace somnus {

/// What is wrong with /jobs, /stages, /stage_parents, /stage_affinity, /curves, /nodes, /gangs,
/// /accounting, /limits, /cold_tasks and the demands as tables that point into each other, and with
/// the numbers of all tables but events and decisions (possible.hpp), as "/stages row 7: ...";
/// empty if nothing is.
[[nodiscard]] std::string table_error(const Log& log);

/// What the resource manager got of the jobs. The log must have no table_error().
[[nodiscard]] Catalogue catalogue_of(const Log& log);

/// Of each task, where the workload lists them.
[[nodiscard]] std::vector<ColdDurations> cold_durations_of(const Log& log);

[[nodiscard]] std::uint64_t slot_count(const Log& log);

}  // namespace somnus
