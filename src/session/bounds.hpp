// Whether the sizes that follow from settings and workload are within the limits of runs, logs and
// checks (model/limits.hpp).
#pragma once

#include "base/error.hpp"
#include "config/settings.hpp"
#include "model/workload.hpp"

namespace somnus {

/// Tasks that may take longer than a run, and work, true or as estimated for the scheduler, of
/// more than a workload may have.
void check_bounds(const Workload& workload, const Settings& settings, Mistakes& mistakes);

}  // namespace somnus
