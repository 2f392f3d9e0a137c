// What a job would take if it had the cluster for itself: the reference of slowdown.
#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "model/cluster.hpp"
#include "model/workload.hpp"

namespace somnus {

/// Response time alone in an idle, cold cluster: list scheduling in order of stage and task, on
/// normal nodes and without any delay. `cold_factor`: how much longer the first task on a slot
/// takes. Exact where only slots count; with resource vectors the nodes are one pool, in which no
/// stage runs more tasks at once than fit the empty nodes.
[[nodiscard]] Duration alone(const Catalogue& catalogue, const Truth& truth, const Cluster& cluster,
                             JobId job, double cold_factor);

/// Longest sum of stages' longest task durations along the job's graph.
[[nodiscard]] Duration critical_path(const Catalogue& catalogue, const Truth& truth, JobId job);

}  // namespace somnus
