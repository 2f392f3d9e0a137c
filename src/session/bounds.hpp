// What settings and workload multiply to, held against what runs, logs and checks can hold
// (model/limits.hpp).
#pragma once

#include "base/error.hpp"
#include "config/settings.hpp"
#include "model/workload.hpp"

namespace somnus {

/// Tasks that may take longer than a run, and work, as it is or as a scheduler would believe it, of
/// more than a workload may have.
void check_bounds(const Workload& workload, const Settings& settings, Mistakes& mistakes);

}  // namespace somnus
