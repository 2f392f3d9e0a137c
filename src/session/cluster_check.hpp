// What of a workload the cluster, or the scheduler that is chosen for it, can never carry out.
#pragma once

#include "base/error.hpp"
#include "config/settings.hpp"
#include "model/workload.hpp"

namespace somnus {

/// Tasks that fit no node, preferred nodes that are not there, gangs that could never start. At
/// most twenty of each kind.
[[nodiscard]] Mistakes objections_to(const Workload& workload, const Settings& settings);

}  // namespace somnus
