#include "policy/registry.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "knowledge/books.hpp"
#include "knowledge/monitor.hpp"
#include "policy/any_free.hpp"
#include "policy/batch_sampling.hpp"
#include "policy/carbyne.hpp"
#include "policy/dag_packing.hpp"
#include "policy/least_loaded.hpp"
#include "policy/own_slots.hpp"
#include "policy/partitioners.hpp"
#include "policy/queue_placement.hpp"
#include "policy/random_placement.hpp"
#include "policy/rows.hpp"
#include "policy/strict_drf.hpp"
#include "policy/tetris.hpp"
#include "policy/within.hpp"
#include "queueing/reordered_queue.hpp"

namespace somnus {
namespace {

using rows::feedback;
using rows::own_order;
using rows::partitioner;
using rows::placement;
using rows::policy;
using rows::queue;
using rows::reordering;
using rows::within;

/// A policy that is no composition, in surroundings that nobody has to know.
Preset whole_policy(const char* name, const char* policy, const char* summary, const char* source,
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
          .parameters = std::move(parameters)};
}

/// Tetris with stages in the order of DAGPS, which weighs in its scores.
Preset dagps() {
  Preset made =
      whole_policy("dagps", "tetris", "Tetris, which prefers the stages that DAGPS puts first",
                   "Graphene, OSDI 2016; Carbyne section 5", {{"tetris", {{"priority", true}}}});
  made.within = "dagps";
  return made;
}

/// Spark's surroundings: any free slot, at once, nothing queued at nodes.
Preset spark(const char* order, const char* summary, const char* source) {
  return {order, order, "any-free", "at-once", "none", "by-size", summary, source};
}

/// The same, with stages by their level, as Tez does.
Preset breadth_first(const char* order, const char* summary, const char* source) {
  Preset made = spark(order, summary, source);
  made.within = "breadth-first";
  return made;
}

/// The same with runtime partitioning: the UWFQ paper's "-P".
Preset partitioned(const char* order, const char* source) {
  return {order + std::string("-p"),
          order,
          "any-free",
          "at-once",
          "none",
          "by-runtime",
          order + std::string(" with runtime partitioning"),
          source};
}

// A YARN cluster's job managers: heard at heartbeats of 1 s, then 1 s on average until a container
// is up (policies.md 4.1, calibrated on Table 1). A constant would march in step with the nodes'
// heartbeats where tasks are all alike.
constexpr JobManagerRules yarn_manager{
    .poll_s = 1, .launch_s = 1, .launch = LaunchModel::exponential};
// One that decides for itself has nobody's heartbeat to wait for.
constexpr JobManagerRules own_manager{
    .poll_s = 0, .launch_s = 1, .launch = LaunchModel::exponential};

Preset centralized(const char* name, const char* placement, const char* queue, QueueRules rules,
                   const char* summary, const char* source) {
  return {name,      "fifo",  placement, "heartbeat", queue,
          "by-size", summary, source,    rules,       yarn_manager};
}

Preset distributed(const char* name, const char* placement, const char* feedback, QueueRules rules,
                   const char* summary, const char* source) {
  return {name,      "fifo",  placement, feedback, "worker",
          "by-size", summary, source,    rules,    own_manager};
}

std::vector<Part> all_parts() {
  std::vector<Part> all = {
      policy<Tetris>("tetris",
                     "what fits the machine best, weighed against the work that is left of its job",
                     "Tetris, SIGCOMM 2014; Carbyne section 5"),
      own_order<StrictDrf>("drf-strict",
                           "DRF's order, but no job beyond its share by the closed form",
                           "Parkes et al., EC 2012; Carbyne section 2"),
      own_order<Carbyne>("carbyne",
                         "each job starts what it must to end as early as its share lets it; the "
                         "rest is lent to the job with the least work left",
                         "Carbyne section 3, pseudocode 1"),
      within<void>("as-numbered", "stages in the order of their numbers", "Spark"),
      within<BreadthFirst>("breadth-first", "stages by their level in the job's graph", "Tez"),
      within<CriticalPath>("critical-path", "the stage that the longest way to the end begins with",
                           "Carbyne section 2"),
      within<PackedForward>("packing",
                            "the stage that starts first where the job alone is packed into the "
                            "cluster",
                            "Carbyne section 3; Tetris, SIGCOMM 2014"),
      within<Dagps>("dagps",
                    "the same, packed with what is hard to pack first and the rest around it",
                    "Graphene, OSDI 2016; Carbyne section 5"),
      placement<AnyFree>("any-free", "the first node with room", "Spark"),
      placement<OwnSlots>("own-slots",
                          "a slot that the app left, warm; a job keeps slots while it has tasks",
                          "PAF section 5.B"),
      placement<PlacementBy<NodeLoad::length>>(
          "queue-length", "a free slot, or else the node with the fewest queued tasks",
          "Yaq section 3.2"),
      placement<PlacementBy<NodeLoad::wait>>(
          "queue-wait", "a free slot, or else the node with the least estimated wait",
          "Yaq section 3.2"),
      placement<RandomPlacement>("random", "a random free slot, or else a random node with room",
                                 "Yaq section 6.5.2"),
      placement<LeastLoaded>("least-loaded",
                             "spread over the k least loaded nodes of a monitor's list",
                             "Mercury; Yaq section 6.3"),
      placement<BatchSampling>("batch-sampling",
                               "the least loaded of a few random nodes for each task",
                               "Sparrow section 3; Yaq section 6.3"),
      feedback<AtOnce>("at-once", "the scheduler learns of each end at once", "Spark"),
      feedback<AtHeartbeat>("heartbeat", "nodes report, and may be used, at their heartbeats only",
                            "YARN; Yaq section 2"),
      feedback<AtAnyHeartbeat>(
          "any-heartbeat",
          "nodes report at their heartbeats; at each of these all nodes may be used",
          "Yaq section 3.2"),
      feedback<Monitor>(
          "monitor", "each job's manager sees what nodes last reported, not what other managers do",
          "Yaq section 2.5"),
      queue<void>("none", "a node holds no task that it can't start", "Spark"),
      queue<ReorderedQueue>("worker", "each node has a queue, by the rules of [queue]",
                            "Yaq section 3"),
      partitioner<BySize>("by-size", "divisible stages are cut into equal parts of their input",
                          "Spark"),
      partitioner<ByRuntime>("by-runtime",
                             "divisible stages are cut into tasks of about the same run time",
                             "UWFQ section IV"),
  };
  for (Part& ranked : rows::orders()) all.push_back(std::move(ranked));
  for (const ReorderingRow& row : Reordering::all()) all.push_back(reordering(row));
  return all;
}

}  // namespace

std::span<const Part> parts() {
  static const std::vector<Part> table = all_parts();
  return table;
}

std::span<const Preset> presets() {
  static const std::vector<Preset> table = {
      spark("fifo", "Spark's FIFO", "CFQ section V"),
      spark("fair", "Spark's fair scheduler over jobs", "CFQ section V"),
      spark("srpt", "shortest remaining processing time, non-preemptive", "CFQ section V"),
      spark("cfq",
            "Cluster Fair Queueing: near SRPT's mean response time, with a bound on each job's "
            "delay",
            "CFQ section IV"),
      spark("ujf", "user-job fairness: Spark's fair scheduler with a pool for each user",
            "UWFQ section III"),
      spark("uwfq",
            "User Weighted Fair Queuing: fair to users, and inside a user one job after the other",
            "UWFQ section IV"),
      partitioned("fair", "UWFQ section V"),
      partitioned("ujf", "UWFQ section V"),
      partitioned("cfq", "UWFQ section V"),
      partitioned("uwfq", "UWFQ section V"),
      spark(
          "paf",
          "performance-aware fair scheduling: jobs near the flat end of their curves give slots to "
          "those that gain more",
          "PAF section 3"),
      centralized("yarn", "any-free", "none", {}, "YARN: nodes are filled at their heartbeats",
                  "Yaq section 2"),
      centralized("yarn+q", "any-free", "worker",
                  {.bound = QueueBound::length, .length = 4, .reorder = Reordering::named("fifo")},
                  "YARN with plain queues of 4 tasks at nodes", "Yaq section 1"),
      centralized("yaq-c", "queue-wait", "worker",
                  {.bound = QueueBound::length, .length = 4, .reorder = Reordering::named("srjf")},
                  "YARN with short queues at nodes, the shortest remaining job first in them",
                  "Yaq section 2.4"),
      distributed("mercury", "least-loaded", "monitor", {},
                  "distributed Mercury: each job takes the nodes that a monitor lists first",
                  "Yaq section 6.3"),
      distributed("sparrow", "batch-sampling", "at-once", {},
                  "Sparrow's batch sampling: each job probes two nodes a task", "Yaq section 6.3"),
      distributed("yaq-d", "queue-wait", "monitor",
                  {.reorder = Reordering::named("srjf"),
                   .starvation_s = 10,
                   .rebalance = Rebalance::wait,
                   .rebalance_low = 0.5,
                   .rebalance_high = infinity},
                  "each job places by estimated waits; queues are reordered and rebalanced",
                  "Yaq section 2.5"),
      breadth_first("drf", "Dominant Resource Fairness by progressive filling",
                    "DRF, NSDI 2011; Carbyne section 5"),
      breadth_first("drf-strict", "DRF with strict quotas by the closed form, not work-conserving",
                    "Carbyne sections 2 and 3"),
      breadth_first("sjf", "shortest job first, by critical path", "Carbyne section 5"),
      breadth_first("carbyne", "altruistic jobs, whose leftover goes to the shortest remaining one",
                    "Carbyne section 3"),
      whole_policy("tetris", "tetris",
                   "packing by several resources, weighed against shortest remaining work",
                   "Tetris, SIGCOMM 2014; Carbyne section 5"),
      whole_policy("tetris-fair", "tetris",
                   "Tetris for the job alone that is farthest below its fair share",
                   "Carbyne section 5.3", {{"tetris", {{"fairness", 1.0}}}}),
      dagps(),
  };
  return table;
}

const Part* find_part(PartKind kind, std::string_view name) {
  const auto found = std::ranges::find_if(
      parts(), [&](const Part& part) { return part.kind == kind && part.name == name; });
  return found == parts().end() ? nullptr : &*found;
}

const Preset* find_preset(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  return found == presets().end() ? nullptr : &*found;
}

const char* default_part(PartKind kind) {
  switch (kind) {
    case PartKind::policy:
    case PartKind::order:
    case PartKind::placement:
      return nullptr;
    case PartKind::feedback:
      return "at-once";
    case PartKind::queue:
      return "none";
    case PartKind::within:
      return "as-numbered";
    case PartKind::reorder:
      return Reordering().name();
    case PartKind::partitioner:
      return "by-size";
  }
  return nullptr;
}

}  // namespace somnus
