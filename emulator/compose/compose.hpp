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

/// Equal for settings that make the same workload; the scheduler may yet fit one and not another.
[[nodiscard]] std::string workload_key(const Settings& settings);
/// Empty if runtime partitioning was not asked for, or had something to cut.
[[nodiscard]] std::string note_on_partitioning(const Settings& settings, const Workload& workload);
/// Empty if the workload's own estimates were not asked for, or some job has one.
[[nodiscard]] std::string note_on_estimates(const Settings& settings, const Workload& workload);

/// Reads or generates it, and checks that every task fits the cluster and the scheduler the
/// workload.
[[nodiscard]] Checked<Workload> workload_of(const Settings& settings);
/// Whether the same settings may make another workload later, as they name a file, or a generator
/// that reads one.
[[nodiscard]] bool workload_may_change(const Settings& settings);

}  // namespace somnus
