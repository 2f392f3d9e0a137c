// What a fork starts from: the same settings and jobs, and what is different from now on.
#pragma once

#include "base/error.hpp"
#include "base/time.hpp"
#include "config/settings.hpp"
#include "model/workload_spec.hpp"
#include "simulator/simulator.hpp"

namespace somnus {

/// What a simulation is of, before anything is cut or held against the cluster.
struct SimulatorInput {
  Settings settings;
  WorkloadSpec spec;
};

/// Jobs in order of submit, as everything behind expects them; ties as they stand.
void put_in_order(WorkloadSpec& spec);

/// The input of a fork at `now`. The user's mistakes: jobs to withdraw that are not there or have
/// come, nodes that are not there. What else is wrong with new jobs, check_workload() says.
[[nodiscard]] Checked<SimulatorInput> changed(SimulatorInput input, const WhatIf& what_if,
                                              Time now);

}  // namespace somnus
