// The load that a workload offers to a cluster.
#pragma once

#include "model/offered_load.hpp"
#include "model/workload.hpp"

namespace somnus {

/// The spec need not have been held against the cluster: kinds that only one of them has don't
/// count.
[[nodiscard]] OfferedLoad offered_load(const WorkloadSpec& spec, const Cluster& cluster);

}  // namespace somnus
