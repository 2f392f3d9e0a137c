// [faults]: faults of the emulated cluster's nodes, tasks and heartbeats, at random or listed.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/time.hpp"
#include "model/limits.hpp"

namespace somnus {

enum class FaultKind { node_lost, node_returned, node_cut_off };
template <>
struct EnumNames<FaultKind> {
  static constexpr std::pair<FaultKind, const char*> names[] = {
      {FaultKind::node_lost, "node-lost"},
      {FaultKind::node_returned, "node-returned"},
      {FaultKind::node_cut_off, "node-cut-off"}};
};

struct FaultEvent {
  double at_s = 0;
  std::uint32_t node = 0;
  FaultKind kind = FaultKind::node_lost;
  double for_s = 0;

  static constexpr auto fields() {
    using S = FaultEvent;
    return in_order(
        required(field("at_s", &S::at_s, "s", "when", Range{.low = 0, .high = last_given_seconds})),
        required(field("node", &S::node, "id", "which node, from 0")),
        field("kind", &S::kind, "",
              "what happens to it; one that is cut off works on, but nothing comes "
              "to it or from it"),
        field("for_s", &S::for_s, "s",
              "how long it is lost or cut off; 0: until node-returned says otherwise",
              Range{.low = 0, .high = last_given_seconds}));
  }
};

struct FaultSettings {
  std::uint64_t seed = 0;
  double node_mtbf_s = 0;
  double node_repair_s = 60;
  double cut_off_share = 0;
  double slow_node_probability = 0;
  double slow_node_factor = 2;
  double straggler_probability = 0;
  double straggler_factor = 3;
  double task_failure_probability = 0;
  std::uint32_t task_attempts = 0;
  double heartbeat_loss_probability = 0;
  double heartbeat_late_probability = 0;
  double heartbeat_late_s = 1;
  std::uint32_t missed_heartbeats = 0;
  std::vector<FaultEvent> events;

  /// Whether anything can happen at all.
  [[nodiscard]] bool any() const {
    return node_mtbf_s > 0 || slow_node_probability > 0 || straggler_probability > 0 ||
           task_failure_probability > 0 || heartbeat_loss_probability > 0 ||
           heartbeat_late_probability > 0 || !events.empty();
  }

  static constexpr auto fields() {
    using S = FaultSettings;
    constexpr Range often{.low = 0, .high = 0.99};  // not always, or nothing would ever end
    constexpr Range times_as_long{.low = 1, .high = most_slowdown};
    constexpr Range span{.low = 0, .high = longest_exact_seconds};
    return in_order(
        field("seed", &S::seed, "1", "of what happens by chance; 0: run.seed"),
        field("node_mtbf_s", &S::node_mtbf_s, "s",
              "mean time from a node's start or return until it is lost, exponential; 0: it is not",
              Range{.low = 0, .high = last_given_seconds}),
        field("node_repair_s", &S::node_repair_s, "s", "mean time until it is back, exponential",
              Range{.low = 1e-3, .high = longest_exact_seconds}),
        field("cut_off_share", &S::cut_off_share, "1",
              "of those losses in which the node works on and only cannot be reached", probability),
        field("slow_node_probability", &S::slow_node_probability, "1",
              "of a node to be slow throughout", probability),
        field("slow_node_factor", &S::slow_node_factor, "x",
              "how many times as long tasks take there", times_as_long),
        field("straggler_probability", &S::straggler_probability, "1", "of an attempt to straggle",
              probability),
        field("straggler_factor", &S::straggler_factor, "x", "how many times as long it then takes",
              times_as_long),
        field("task_failure_probability", &S::task_failure_probability, "1",
              "of an attempt, which then ends at a uniform point of its run", often),
        field("task_attempts", &S::task_attempts, "1",
              "a job fails when one of its tasks has failed that often; 0: never",
              Range{.low = 0, .high = 1000}),
        field("heartbeat_loss_probability", &S::heartbeat_loss_probability, "1",
              "of a heartbeat to be lost; the ends that it reports wait for the next", often),
        field("heartbeat_late_probability", &S::heartbeat_late_probability, "1",
              "of a heartbeat to be late, and all that its node says meanwhile with it", often),
        field("heartbeat_late_s", &S::heartbeat_late_s, "s", "how late it then is", span),
        field("missed_heartbeats", &S::missed_heartbeats, "1",
              "how many heartbeats a node misses until it is given up, with what was placed there; "
              "0: a lost node is known to be lost at once"),
        field("event", &S::events, "", "what happens to nodes, and when"));
  }
};

}  // namespace somnus
