// Rows of presets: what published systems have in common, so that each states only the rest.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/registered.hpp"
#include "scheduler/registry.hpp"

namespace somnus::presets_of {

/// On Spark: any free slot, at once, nothing queued at nodes.
[[nodiscard]] inline Preset spark(const char* order, const char* summary, const char* source) {
  return {order, order, "any-free", "at-once", "none", "by-size", summary, source};
}

/// Of batch systems: first come, first served, and what happens when the next one does not fit.
[[nodiscard]] inline Preset batch(const char* name, const char* backfill, const char* summary,
                                  const char* source) {
  Preset made = spark("fifo", summary, source);
  made.name = name;
  made.backfill = backfill;
  return made;
}

/// The same, with stages by their level, as Tez does.
[[nodiscard]] inline Preset breadth_first(const char* order, const char* summary,
                                          const char* source) {
  Preset made = spark(order, summary, source);
  made.within = "breadth-first";
  return made;
}

/// The same with runtime partitioning: the UWFQ paper's "-P".
[[nodiscard]] inline Preset partitioned(const char* order, const char* source) {
  return {order + std::string("-p"),
          order,
          "any-free",
          "at-once",
          "none",
          "by-runtime",
          order + std::string(" with runtime partitioning"),
          source};
}

/// A policy that is no composition, where nothing else has to be known.
[[nodiscard]] inline Preset whole_policy(const char* name, const char* policy, const char* summary,
                                         const char* source,
                                         std::map<std::string, Parameters> parameters = {}) {
  return {.name = name,
          .order = {},
          .placement = {},
          .feedback = default_part(PartKind::feedback),
          .queue = default_part(PartKind::queue),
          .partitioner = default_part(PartKind::partitioner),
          .summary = summary,
          .source = source,
          .whole = policy,
          .parameters = std::move(parameters),
          .backfill = {},
          .preemption = {}};
}

/// On YARN: job managers that poll at heartbeats of 1 s, then 1 s on average until a container is
/// up (policies.md 4.1, calibrated on Table 1). A constant would march in step with the nodes'
/// heartbeats where tasks are all alike.
[[nodiscard]] inline Preset centralized(const char* name, const char* placement, const char* queue,
                                        QueueRules rules, const char* summary, const char* source) {
  constexpr JobManagerRules manager{.poll_s = 1, .launch_s = 1, .launch = LaunchModel::exponential};
  return {name, "fifo", placement, "heartbeat", queue, "by-size", summary, source, rules, manager};
}

/// With job managers that decide for themselves, and wait for nobody's heartbeat.
[[nodiscard]] inline Preset distributed(const char* name, const char* placement,
                                        const char* feedback, QueueRules rules, const char* summary,
                                        const char* source) {
  constexpr JobManagerRules manager{.poll_s = 0, .launch_s = 1, .launch = LaunchModel::exponential};
  return {name, "fifo", placement, feedback, "worker", "by-size", summary, source, rules, manager};
}

}  // namespace somnus::presets_of
