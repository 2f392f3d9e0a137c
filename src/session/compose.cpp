#include "session/compose.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "config/config.hpp"

namespace somnus {
namespace {

Duration milliseconds(double count) { return seconds(count / 1000); }

Environment environment_of(const Settings& settings, const JobGroups& groups) {
  return {.cluster = settings.cluster,
          .queues = groups.queues,
          .accounts = groups.accounts,
          .qos = groups.qos,
          .seed = settings.run.seed,
          .audit_keys = settings.run.audit_keys};
}
Environment environment_of(const Settings& settings, const JobGroups& groups,
                           const Catalogue& catalogue) {
  Environment environment = environment_of(settings, groups);
  environment.whole_nodes = catalogue.has_exclusive();
  return environment;
}

std::unique_ptr<Engine> engine_with(Scheduler scheduler, const Settings& settings,
                                    const Catalogue& catalogue) {
  return std::make_unique<Engine>(catalogue, settings.cluster, std::move(scheduler),
                                  EngineRules{.task_attempts = settings.faults.task_attempts,
                                              .speculation = speculation_rules_of(settings),
                                              .limit_grace = seconds(settings.limits.grace_s),
                                              .cycle = seconds(settings.scheduler.cycle_s)});
}

}  // namespace

std::unique_ptr<Engine> engine_of(const Settings& settings, const Catalogue& catalogue,
                                  const JobGroups& groups) {
  const Environment environment = environment_of(settings, groups, catalogue);
  return engine_with(make_scheduler(composition_of(settings), environment), settings, catalogue);
}

std::unique_ptr<Engine> engine_of(const Settings& settings, const Catalogue& catalogue,
                                  const JobGroups& groups, std::unique_ptr<Policy> instead) {
  const Environment environment = environment_of(settings, groups, catalogue);
  return engine_with(make_scheduler(composition_of(settings), environment, std::move(instead)),
                     settings, catalogue);
}

SpeculationRules speculation_rules_of(const Settings& settings) {
  return {.slowdown = settings.speculation.slowdown,
          .quantile = settings.speculation.quantile,
          .least = seconds(settings.speculation.least_s)};
}

Mistakes config_errors_of(const Settings& settings, const JobGroups& groups) {
  Mistakes mistakes;
  for (ConfigError& config_error :
       config_errors_of(composition_of(settings), environment_of(settings, groups))) {
    mistakes.add({.location = {.file = settings.origin},
                  .key = "scheduler." + config_error.parameter,
                  .what = std::move(config_error.what)});
  }
  return mistakes;
}

namespace {

std::unique_ptr<Estimator> estimator_of_durations(const Settings& settings,
                                                  const Workload& workload) {
  switch (settings.estimate.model) {
    case EstimateModel::exact:
      return exact_estimator(workload);
    case EstimateModel::uniform:
      return scaled_estimator(
          workload, uniform_factors(workload.catalogue.jobs.size(), settings.estimate.error,
                                    settings.run.seed));
    case EstimateModel::given:
      return scaled_estimator(workload, given_factors(workload));
    case EstimateModel::naive:
      return naive_estimator(workload, settings.estimate.default_task_s);
    case EstimateModel::stage_mean:
      return stage_mean_estimator(workload);
  }
  throw Bug("an estimate model without an estimator");
}

}  // namespace

std::unique_ptr<Estimator> estimator_of(const Settings& settings, const Workload& workload) {
  auto estimator = estimator_of_durations(settings, workload);
  if (settings.estimate.demand_error == 0) return estimator;
  return misjudged_demands(std::move(estimator), 1 + settings.estimate.demand_error, workload,
                           settings.cluster);
}

Resources estimated_demand(const Resources& demand, const Settings& settings) {
  const double error = settings.estimate.demand_error;
  return error == 0 ? demand : misjudged(demand, 1 + error, settings.cluster);
}

FaultModel fault_model_of(const Settings& settings) {
  const FaultSettings& faults = settings.faults;
  return {.seed = seed_of_faults(settings),
          .up = seconds(faults.node_mtbf_s),
          .away = seconds(faults.node_repair_s),
          .cut_off = faults.cut_off_share,
          .slow = faults.slow_node_probability,
          .slow_factor = faults.slow_node_factor,
          .fails = faults.task_failure_probability,
          .straggles = faults.straggler_probability,
          .straggler_factor = faults.straggler_factor,
          .heartbeat_lost = faults.heartbeat_loss_probability,
          .heartbeat_late = faults.heartbeat_late_probability,
          .late_by = seconds(faults.heartbeat_late_s)};
}

std::vector<NodeFault> listed_faults_of(const Settings& settings) {
  std::vector<NodeFault> listed;
  std::map<std::uint32_t, std::vector<std::pair<Time, Time>>> losses;  // of each node, from and to
  for (const FaultEvent& event : settings.faults.events) {
    if (event.kind != FaultKind::node_lost || event.for_s == 0) continue;
    losses[event.node].emplace_back(at_seconds(event.at_s), at_seconds(event.at_s + event.for_s));
  }
  const auto is_lost_at = [&](std::uint32_t node, Time at) {
    return std::ranges::any_of(
        losses[node], [&](const auto& loss) { return loss.first <= at && at < loss.second; });
  };
  for (const FaultEvent& event : settings.faults.events) {
    const NodeId node(event.node);
    const Time at = at_seconds(event.at_s);
    const Time until = event.for_s > 0 ? at_seconds(event.at_s + event.for_s) : never;
    switch (event.kind) {
      case FaultKind::node_lost:
        listed.push_back({.at = at, .node = node, .change = NodeChange::lost});
        if (until != never && !is_lost_at(event.node, until)) {
          listed.push_back({.at = until, .node = node, .change = NodeChange::returned});
        }
        break;
      case FaultKind::node_returned:
        listed.push_back({.at = at, .node = node, .change = NodeChange::returned});
        break;
      case FaultKind::node_cut_off:
        listed.push_back({.at = at, .node = node, .change = NodeChange::cut_off, .until = until});
        break;
    }
  }
  std::ranges::stable_sort(listed, {}, &NodeFault::at);
  return listed;
}

Duration silence_of(const Settings& settings) {
  const double silence_s = settings.faults.missed_heartbeats * settings.heartbeat.interval_s;
  return silence_s > last_seconds
             ? seconds(last_seconds)
             : settings.faults.missed_heartbeats * seconds(settings.heartbeat.interval_s);
}

// There and back, the time until a node may speak, and a real second.
Duration last_words_of(const Settings& settings) {
  const Duration way = milliseconds(settings.network.delay_ms * (1 + settings.network.jitter));
  const Duration beat = has_heartbeats(settings) ? seconds(settings.heartbeat.interval_s) +
                                                       milliseconds(settings.heartbeat.delay_ms)
                                                 : Duration::zero();
  return 2 * way + beat + seconds(settings.run.speed);
}

NodeModel node_model_of(const Settings& settings) {
  const Composition composition = composition_of(settings);
  const FeedbackTraits feedback = feedback_traits(composition.feedback);
  NodeModel model{
      .warmup = warmup_of(settings),
      .heartbeats = has_heartbeats(settings),
      .ends_wait = feedback.ends_with_them,
      .random_phase = settings.heartbeat.phase == HeartbeatPhase::random,
      .heartbeat_interval = seconds(settings.heartbeat.interval_s),
      .heartbeat_delay = milliseconds(settings.heartbeat.delay_ms),
      .network = {.mean = milliseconds(settings.network.delay_ms),
                  .jitter = settings.network.jitter},
      .faults = listed_faults_of(settings),
      .fault_model = fault_model_of(settings),
      .silent = settings.faults.missed_heartbeats > 0,
      .make_queue = queue_part(settings.scheduler.queue).make,
      .queue = settings.queue,
      .seed = settings.run.seed,
  };
  return model;
}

}  // namespace somnus
