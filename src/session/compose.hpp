// From settings to the parts that run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/settings.hpp"
#include "model/workload.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/estimator.hpp"
#include "workers/node_set.hpp"

namespace somnus {

/// Names of what jobs belong to, of a workload or a log that outlives it.
struct JobGroups {
  template <class AllNames>
  JobGroups(const AllNames& names)  // NOLINT(google-explicit-constructor)
      : queues(names.queues), accounts(names.accounts), qos(names.qos) {}

  std::span<const std::string> queues;
  std::span<const std::string> accounts;
  std::span<const std::string> qos;
};

/// The one place where a scheduler is composed: for a run, a simulation or a replay. The catalogue
/// must outlive it. There must be no config_errors_of().
[[nodiscard]] std::unique_ptr<Engine> engine_of(const Settings& settings,
                                                const Catalogue& catalogue,
                                                const JobGroups& groups);
/// The same with another policy, in the place of that of the settings, which is not made.
[[nodiscard]] std::unique_ptr<Engine> engine_of(const Settings& settings,
                                                const Catalogue& catalogue, const JobGroups& groups,
                                                std::unique_ptr<Policy> instead);
[[nodiscard]] SpeculationRules speculation_rules_of(const Settings& settings);
/// Where the scheduler's parameters can't be meant for a workload with these groups.
[[nodiscard]] Mistakes config_errors_of(const Settings& settings, const JobGroups& groups);
/// The workload must outlive it.
[[nodiscard]] std::unique_ptr<Estimator> estimator_of(const Settings& settings,
                                                      const Workload& workload);
/// What the scheduler gets in place of a demand.
[[nodiscard]] Resources estimated_demand(const Resources& demand, const Settings& settings);
/// Faults of nodes and tasks, random and listed, in order of time.
[[nodiscard]] FaultModel fault_model_of(const Settings& settings);
[[nodiscard]] std::vector<NodeFault> listed_faults_of(const Settings& settings);
/// After how long without a heartbeat a node is given up; 0: it never is.
[[nodiscard]] Duration silence_of(const Settings& settings);
/// For how long, once all jobs have ended, the loop waits for the ends of killed attempts.
[[nodiscard]] Duration last_words_of(const Settings& settings);
[[nodiscard]] NodeModel node_model_of(const Settings& settings);

}  // namespace somnus
