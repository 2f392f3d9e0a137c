// From settings to the parts that run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/error.hpp"
#include "config/settings.hpp"
#include "engine/engine.hpp"
#include "estimate/estimator.hpp"
#include "model/workload.hpp"
#include "workers/node_set.hpp"

namespace somnus {

/// The one place where a scheduler is composed: for a run, a simulation or a replay. The catalogue
/// must outlive it; queues: names of the workload's, by QueueId. There must be no misfits_of().
[[nodiscard]] std::unique_ptr<Engine> engine_of(const Settings& settings,
                                                const Catalogue& catalogue,
                                                std::span<const std::string> queues);
/// Where the scheduler's parameters can't be meant for a workload with these queues.
[[nodiscard]] Mistakes misfits_of(const Settings& settings, std::span<const std::string> queues);
/// The workload must outlive it.
[[nodiscard]] std::unique_ptr<Estimator> estimator_of(const Settings& settings,
                                                      const Workload& workload);
/// What the scheduler is told of a demand.
[[nodiscard]] Resources believed_demand(const Resources& demand, const Settings& settings);
[[nodiscard]] NodeModel node_model_of(const Settings& settings);

}  // namespace somnus
