// Random worlds whose nodes have queues: any order, placement, feedback and rules of the queue, or
// one of the published systems, over the jobs, nodes, delays and faults of scenarios.hpp.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/property.hpp"
#include "harness/scenarios.hpp"

namespace somnus::harness {

/// What a law needs of its queueing worlds.
struct QueueTerrain {
  bool jitter = true;
  bool faults = true;
  bool late_binding = true;  // slots held for reservations
  bool rebalancing = true;
  bool chaos = false;  // as a Terrain's
};

/// The parts of a published system, as its preset has them.
[[nodiscard]] inline Conditions conditions_of(const std::string& name) {
  const Preset* const preset = find_preset(name);
  SOMNUS_CHECK(preset != nullptr, "no preset is called {}", name);
  Conditions made;
  made.order = preset->order;
  made.placement = preset->placement;
  made.feedback = preset->feedback;
  if (queue_part(preset->queue).make != nullptr) made.queue = preset->queue_rules;
  made.loop.job_managers = preset->job_manager;
  return made;
}

/// The published systems whose jobs have managers of their own, on nodes that may have queues.
[[nodiscard]] inline std::vector<std::string> with_job_managers() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) {
    if (preset.job_manager.launch_s > 0) names.push_back(preset.name);
  }
  return names;
}

namespace draw {

inline QueueRules queue_rules(const QueueTerrain& terrain, QueueBound bound) {
  QueueRules made{.bound = bound};
  made.length = static_cast<std::uint32_t>(integer(0, 3));
  made.max_wait_s = tenths(1, 50);
  const std::vector<std::string> reorderings = Reordering::choices();
  made.reorder =
      Reordering::named(reorderings[std::size_t(integer(0, int(reorderings.size()) - 1))]);
  if (integer(0, 2) == 0) made.starvation_s = tenths(0, 40);
  if (integer(0, 2) == 0) made.starvation_relative = tenths(0, 40);
  if (terrain.rebalancing) {
    made.rebalance = EnumNames<Rebalance>::names[std::size_t(integer(0, 2))].first;
  }
  made.rebalance_interval_s = tenths(2, 10);
  made.rebalance_sigma = tenths(0, 10);
  made.rebalance_low = tenths(0, 10);
  return made;
}

/// Like nobody's system: any parts that go together.
inline void compose(const QueueTerrain& terrain, Conditions& made) {
  static const std::vector<AnyOrder> orders = [] {
    std::vector<AnyOrder> all = any_order();
    // Nor one that leaves slots free on purpose: these laws are of what queues do to full nodes.
    std::erase_if(all, [](const AnyOrder& each) {
      const Part* const part = find_part(PartKind::order, each.order);
      return part == nullptr ||
             !std::get<OrderPart>(part->as).traits(each.parameters).work_conserving;
    });
    return all;
  }();
  const auto order = static_cast<std::size_t>(integer(0, int(orders.size()) - 1));
  made.order = orders[order].order;
  made.of_order = orders[order].parameters;
  // Each as often in small cases as in large ones, which integer() does not promise.
  const auto any_of = [](const std::vector<std::string>& names) {
    return *rc::gen::elementOf(names);
  };
  made.placement = any_of(names_of_parts(PartKind::placement));
  made.feedback = any_of(names_of_parts(PartKind::feedback));
  QueueBound bound = EnumNames<QueueBound>::names[std::size_t(integer(0, 2))].first;
  if (made.placement == "queue-length" || made.placement == "queue-wait") {
    made.of_placement["free_share"] = integer(0, 4) / 4.0 * 0.75;
  } else if (made.placement == "own-slots") {
    if (made.feedback == "monitor") made.feedback = "at-once";
    made.of_placement["keep"] = coin();
  } else if (made.placement == "least-loaded") {
    made.of_placement["k"] = integer(1, 4);
  } else if (made.placement == "batch-sampling") {
    bound = QueueBound::none;
    made.feedback = coin() ? "at-once" : "monitor";
    made.of_placement["ratio"] = 1 + integer(0, 3) / 2.0;
    made.of_placement["late_binding"] = terrain.late_binding && coin();
  }
  if (made.feedback == "monitor" || integer(0, 4) > 0) {
    made.queue = queue_rules(terrain, bound);
  } else if (made.placement == "batch-sampling") {
    made.queue = QueueRules{};
  }
  made.loop.job_managers = {.poll_s = tenths(0, 10), .launch_s = tenths(0, 10)};
  if (coin()) made.loop.job_managers.launch = LaunchModel::exponential;
}

inline Scenario queueing_scenario(const QueueTerrain& terrain) {
  const Terrain ground{
      .jitter = terrain.jitter, .faults = terrain.faults, .vectors = false, .chaos = terrain.chaos};
  Scenario made;
  made.cluster = cluster(ground);
  made.jobs = jobs(ground, made.cluster);
  if (integer(0, 2) == 0) {
    static const std::vector<std::string> published = with_job_managers();
    made.conditions = conditions_of(published[std::size_t(integer(0, int(published.size()) - 1))]);
    if (!terrain.rebalancing && made.conditions.queue) {
      made.conditions.queue->rebalance = Rebalance::none;
    }
  } else {
    compose(terrain, made.conditions);
  }
  made.conditions.nodes = nodes(ground, made.cluster);
  made.conditions.nodes.heartbeats = false;  // but where the composition needs them
  if (terrain.chaos && coin()) lose_in_silence(made.conditions);
  if (terrain.chaos) made.conditions.rules.task_attempts = attempts();
  made.conditions.loop.seed = made.conditions.nodes.seed;
  made.conditions.loop.until = at_seconds(4000);
  if (terrain.chaos && coin()) speculate(made.conditions);
  return made;
}

}  // namespace draw

/// Call it inside a law: smaller draws are tried when the law fails.
[[nodiscard]] inline Scenario any_queueing_scenario(const QueueTerrain& terrain) {
  return *rc::gen::exec([terrain] { return draw::queueing_scenario(terrain); });
}

/// A task at a node, from when it came until it started or went back.
struct Waiting {
  const Attempt* attempt;
  Time from;
  Time to;
};

/// When a task that never started left its node: lost with it, at once if it came to a lost one, or
/// given back when word to do so came. Rank 0 may hear of it later than the way back takes, for
/// nothing overtakes a heartbeat that is held up.
[[nodiscard]] inline Time left_without_start(const Attempt& attempt, const World& world,
                                             const NodeModel& nodes) {
  Time left = attempt.queued;
  if (attempt.outcome == Outcome::returned) {
    for (const Revoked& each : world.revokes) {
      const Time came = each.at + nodes.network.mean;
      if (each.revoke.node == attempt.node && came <= attempt.reported - nodes.network.mean) {
        left = std::max(left, came);
      }
    }
    return left;
  }
  bool up = true;
  for (const NodeFault& fault : nodes.faults) {
    if (fault.node != attempt.node) continue;
    if (fault.at > attempt.queued) return up ? fault.at : left;
    up = fault.change == NodeChange::returned;
  }
  return left;
}

/// All waits of the run. Ways must be known: no jitter.
[[nodiscard]] inline std::vector<Waiting> waits_of(const World& world, const NodeModel& nodes) {
  SOMNUS_CHECK(nodes.network.jitter == 0, "nobody knows when a revoke came to its node");
  std::vector<Waiting> waits;
  for (const Attempt& each : world.attempts) {
    const Time to = each.started != never ? each.started : left_without_start(each, world, nodes);
    if (each.queued < to) waits.push_back({&each, each.queued, to});
  }
  return waits;
}

}  // namespace somnus::harness
