#include "experiment/randomness.hpp"

#include <fmt/format.h>

#include "scheduler/registry.hpp"

namespace somnus {

std::vector<std::string> drawn_at_random(const Settings& settings) {
  std::vector<std::string> fault_model;
  const auto add = [&](bool drawn, std::string what) {
    if (drawn) fault_model.push_back(std::move(what));
  };
  const WorkloadSettings& workload = settings.workload;
  add(!workload.generator.empty(), fmt::format("the workload ({})", workload.generator));
  add(workload.resample > 0, "which jobs come (workload.resample)");
  add(settings.estimate.model == EstimateModel::uniform && settings.estimate.error > 0,
      "errors of estimates");
  const bool heartbeats = has_heartbeats(settings);
  add(heartbeats && settings.heartbeat.phase == HeartbeatPhase::random, "phases of heartbeats");
  add(settings.network.jitter > 0 &&
          (settings.network.delay_ms > 0 || (heartbeats && settings.heartbeat.delay_ms > 0)),
      "delays of messages");
  const FaultSettings& faults = settings.faults;
  const bool own_seed = faults.seed > 0;  // the same faults in all runs
  add(!own_seed && (faults.node_mtbf_s > 0 || faults.slow_node_probability > 0 ||
                    faults.task_failure_probability > 0 || faults.straggler_probability > 0 ||
                    faults.heartbeat_loss_probability > 0 || faults.heartbeat_late_probability > 0),
      "faults");
  add(settings.job_manager.poll_s > 0 || (settings.job_manager.launch_s > 0 &&
                                          settings.job_manager.launch == LaunchModel::exponential),
      "job managers' delays");
  const Composition composition = composition_of(settings);
  add(order_traits(composition).draws || placement_traits(composition).draws,
      "the scheduler's own draws");
  return fault_model;
}

}  // namespace somnus
