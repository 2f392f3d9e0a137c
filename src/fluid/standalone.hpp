// The response time of a job alone on the cluster: the reference of slowdown.
#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "model/cluster.hpp"
#include "model/workload.hpp"
#include "warmup/warmup.hpp"

namespace somnus {

/// Response time alone in an idle, cold cluster: list scheduling in order of stage and task, on
/// normal nodes and without any delay, each task on the free slot where it takes least. Exact where
/// only slots count; with resource vectors the nodes are one pool, in which no stage runs more
/// tasks at once than fit the empty nodes.
[[nodiscard]] Duration alone(const Catalogue& catalogue, const Truth& truth, const Cluster& cluster,
                             JobId job, const Warmup& warmup);

/// The same on that many slots of one node, at least one, whatever else its tasks demand.
[[nodiscard]] Duration alone(const Catalogue& catalogue, const Truth& truth, std::uint64_t slots,
                             JobId job, const Warmup& warmup);

/// Longest sum of stages' longest task durations along the job's graph.
[[nodiscard]] Duration critical_path(const Catalogue& catalogue, const Truth& truth, JobId job);

}  // namespace somnus
