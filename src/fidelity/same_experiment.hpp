// Whether a run can be compared with a simulation, and the settings and workload for simulating it.
#pragma once

#include <string>

#include "base/error.hpp"
#include "config/settings.hpp"
#include "log/log.hpp"
#include "model/workload.hpp"

namespace somnus {

/// A log that came to its end, and what it was made of.
struct Experiment {
  std::string path;
  Log log;
  Settings settings;
};

/// Mistakes: it can't be read, was cut off, or its config can't be read.
[[nodiscard]] Checked<Experiment> experiment_of(const std::string& path);

/// Mistakes: it is a simulation and the other is not, or the two are of other workloads, seeds or
/// configs but for [run] and [log], which say how and not what.
[[nodiscard]] Mistakes differences_of(const Experiment& run, const Experiment& simulation);

/// Read or generated again. Mistakes: it is not there any more, or not what it was.
[[nodiscard]] Checked<Workload> workload_again(const Experiment& run);

}  // namespace somnus
