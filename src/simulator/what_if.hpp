// What a fork starts from: the same settings and jobs, and what is different from now on.
#pragma once

#include "base/error.hpp"
#include "base/time.hpp"
#include "config/settings.hpp"
#include "model/node_table.hpp"
#include "model/workload_spec.hpp"
#include "simulator/simulator.hpp"

namespace somnus {

/// What a simulation is of, before anything is cut or held against the cluster.
struct SimulatorInput {
  Settings settings;
  WorkloadSpec spec;
};

/// Jobs in order of submit, as everything behind expects them, ties as they stand, and checked:
/// each mistake names its job.
[[nodiscard]] Checked<WorkloadSpec> checked_in_order(WorkloadSpec spec);

/// The input of a fork at `now`, to be checked. The user's mistakes: jobs to withdraw that are not
/// there or whose submit has passed, nodes that are not there or down.
[[nodiscard]] Checked<SimulatorInput> changed(SimulatorInput input, const WhatIf& what_if, Time now,
                                              const NodeTable& nodes);

}  // namespace somnus
