// How much a workload asks of a cluster.
#pragma once

#include <string>

#include "model/cluster.hpp"
#include "model/workload.hpp"

namespace somnus {

struct OfferedLoad {
  /// Work that arrives in a second over the work that the cluster does in one, of the kind of which
  /// most is asked: work is slot-seconds, or seconds times a task's demand; what arrives in a
  /// second is the mean job's over the mean time between two submits. All tasks are warm; nodes do
  /// 1 / slowdown. Infinite if all jobs come at one moment, 0 if they take nothing.
  double share = 0;
  std::string kind;  // "slots", or one of the cluster's resources
};

/// The spec need not have been held against the cluster: kinds that only one of them has don't
/// count.
[[nodiscard]] OfferedLoad offered_load(const WorkloadSpec& spec, const Cluster& cluster);

}  // namespace somnus
