#include "policy/registry.hpp"

#include <algorithm>

#include "policy/any_free.hpp"
#include "policy/batch_sampling.hpp"
#include "policy/capacity.hpp"
#include "policy/cfq.hpp"
#include "policy/fair.hpp"
#include "policy/fifo.hpp"
#include "policy/job_order.hpp"
#include "policy/least_loaded.hpp"
#include "policy/partitioners.hpp"
#include "policy/queue_placement.hpp"
#include "policy/random_placement.hpp"
#include "policy/rebalanced.hpp"
#include "policy/serve.hpp"
#include "policy/srpt.hpp"
#include "policy/ujf.hpp"
#include "policy/uwfq.hpp"

namespace somnus {
namespace {

template <class R>
R fresh(const Cluster& cluster) {
  if constexpr (std::is_constructible_v<R, double>) {
    return R(static_cast<double>(cluster.slot_count()));
  } else {
    return R();
  }
}

template <class R>
R with_parameters(const Parameters& given, const Cluster& cluster) {
  R ranking = fresh<R>(cluster);
  apply_parameters(ranking, given);
  return ranking;
}

template <Ranking R>
Part order(const char* name, const char* summary, const char* source, const char* note = "") {
  Part part{.kind = PartKind::order,
            .name = name,
            .summary = summary,
            .source = source,
            .note = note,
            .parameters = parameters_of(fresh<R>(Cluster())),
            .make_order = {},
            .make_placement = {},
            .make_partitioning = {},
            .misfits = {}};
  part.make_order = [](const Parameters& given, const Surroundings& surroundings) {
    R ranking = with_parameters<R>(given, surroundings.cluster);
    if constexpr (requires { ranking.settle(surroundings); }) ranking.settle(surroundings);
    return std::make_unique<Ranked<R>>(std::move(ranking));
  };
  if constexpr (requires(const R ranking, const Surroundings& in) { ranking.misfits(in); }) {
    part.misfits = [](const Parameters& given, const Surroundings& surroundings) {
      return with_parameters<R>(given, surroundings.cluster).misfits(surroundings);
    };
  }
  return part;
}

Part plain(PartKind kind, const char* name, const char* summary, const char* source) {
  return {.kind = kind,
          .name = name,
          .summary = summary,
          .source = source,
          .note = {},
          .parameters = {},
          .make_order = {},
          .make_placement = {},
          .make_partitioning = {},
          .misfits = {}};
}

template <class P>
Part placement(const char* name, const char* summary, const char* source) {
  Part part = plain(PartKind::placement, name, summary, source);
  if constexpr (requires { typename P::Rules; }) {
    part.parameters = parameters_of(typename P::Rules());
    part.make_placement = [](const Parameters& given, const Surroundings& surroundings) {
      typename P::Rules rules;
      apply_parameters(rules, given);
      return std::make_unique<P>(rules, surroundings);
    };
  } else if constexpr (std::is_constructible_v<P, const Surroundings&>) {
    part.make_placement = [](const Parameters&, const Surroundings& surroundings) {
      return std::make_unique<P>(surroundings);
    };
  } else {
    part.make_placement = [](const Parameters&, const Surroundings&) {
      return std::make_unique<P>();
    };
  }
  return part;
}

template <class P>
Part partitioner(const char* name, const char* summary, const char* source) {
  Part part = plain(PartKind::partitioner, name, summary, source);
  part.parameters = parameters_of(P());
  part.make_partitioning = [](const Parameters& given, const Cluster& cluster) {
    P chosen;
    apply_parameters(chosen, given);
    return chosen.partitioning(cluster.slot_count());
  };
  return part;
}

constexpr const char* note_on_uwfq =
    "The published chain can break the paper's bound on how much later than in UJF a job ends, 2 "
    "l_max + L_max / R: a user's shorter job that overtakes its longer ones gets too early a "
    "deadline, and another user's job is late by 1.56 times the bound in a small example. chain = "
    "\"exact2lv\" starts from what two-level virtual time has left of each job, and stays inside "
    "the bound on that example and all random ones with one other user; with several others "
    "neither chain does (1.8 times with two).";

/// Spark's surroundings: any free slot, at once, nothing queued at nodes.
Preset spark(const char* order, const char* summary, const char* source) {
  return {order, order, "any-free", "at-once", "none", "by-size", summary, source, {}, {}};
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
          source,
          {},
          {}};
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

}  // namespace

std::span<const Part> parts() {
  static const std::vector<Part> table = {
      order<Fifo>("fifo", "first come, first served", "Spark; CFQ section V"),
      order<Fair>("fair", "fewest running tasks for its weight first", "Spark; CFQ section V"),
      order<Srpt>("srpt", "least remaining work first", "CFQ section V"),
      order<Cfq>("cfq", "the job that would end first under GPS", "CFQ section IV"),
      order<Ujf>("ujf", "fewest running tasks for its weight first, among users, then inside",
                 "UWFQ section III"),
      order<Uwfq>("uwfq", "the job that would end first under two-level virtual time",
                  "UWFQ section IV", note_on_uwfq),
      order<JobQueue>("job-queue", "one queue of jobs in an order of choice, starved ones first",
                      "Yaq section 4.1, Algorithm 3"),
      order<Capacity>(
          "capacity",
          "the named queue with the fewest placed tasks for its capacity, then its jobs",
          "Yaq sections 4.2 and 6.4; Hadoop's capacity scheduler"),
      placement<AnyFree>("any-free", "the first node with room", "Spark"),
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
      plain(PartKind::feedback, "at-once", "the scheduler learns of each end at once", "Spark"),
      plain(PartKind::feedback, "heartbeat",
            "nodes report, and may be used, at their heartbeats only", "YARN; Yaq section 2"),
      plain(PartKind::feedback, "any-heartbeat",
            "nodes report at their heartbeats; at each of these all nodes may be used",
            "Yaq section 3.2"),
      plain(PartKind::feedback, "monitor",
            "each job's manager sees what nodes last reported, not what other managers do",
            "Yaq section 2.5"),
      plain(PartKind::queue, "none", "a node holds no task that it can't start", "Spark"),
      plain(PartKind::queue, "worker", "each node has a queue, by the rules of [queue]",
            "Yaq section 3"),
      partitioner<BySize>("by-size", "divisible stages are cut into equal parts of their input",
                          "Spark"),
      partitioner<ByRuntime>("by-runtime",
                             "divisible stages are cut into tasks of about the same run time",
                             "UWFQ section IV"),
  };
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
      centralized("yarn", "any-free", "none", {}, "YARN: nodes are filled at their heartbeats",
                  "Yaq section 2"),
      centralized("yarn+q", "any-free", "worker",
                  {.bound = QueueBound::length, .length = 4, .reorder = Reorder::fifo},
                  "YARN with plain queues of 4 tasks at nodes", "Yaq section 1"),
      centralized("yaq-c", "queue-wait", "worker",
                  {.bound = QueueBound::length, .length = 4, .reorder = Reorder::srjf},
                  "YARN with short queues at nodes, the shortest remaining job first in them",
                  "Yaq section 2.4"),
      distributed("mercury", "least-loaded", "monitor", {},
                  "distributed Mercury: each job takes the nodes that a monitor lists first",
                  "Yaq section 6.3"),
      distributed("sparrow", "batch-sampling", "at-once", {},
                  "Sparrow's batch sampling: each job probes two nodes a task", "Yaq section 6.3"),
      distributed("yaq-d", "queue-wait", "monitor",
                  {.reorder = Reorder::srjf,
                   .starvation_s = 10,
                   .rebalance = Rebalance::wait,
                   .rebalance_low = 0.5,
                   .rebalance_high = infinity},
                  "each job places by estimated waits; queues are reordered and rebalanced",
                  "Yaq section 2.5"),
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

std::unique_ptr<Policy> make_policy(const Composition& composition,
                                    const Surroundings& surroundings) {
  const Part* order = find_part(PartKind::order, composition.order);
  const Part* placement = find_part(PartKind::placement, composition.placement);
  SOMNUS_CHECK(order != nullptr, "no order is called '{}'", composition.order);
  SOMNUS_CHECK(placement != nullptr, "no placement is called '{}'", composition.placement);
  auto policy =
      std::make_unique<Serve>(order->make_order(composition.of_order, surroundings),
                              placement->make_placement(composition.of_placement, surroundings));
  const bool rebalances =
      composition.queue != nullptr && composition.queue->rebalance != Rebalance::none;
  if (!rebalances) return policy;
  return std::make_unique<Rebalanced>(std::move(policy), *composition.queue);
}

std::vector<Misfit> misfits_of(std::string_view order, const Parameters& of_order,
                               const Surroundings& surroundings) {
  const Part* part = find_part(PartKind::order, order);
  SOMNUS_CHECK(part != nullptr, "no order is called '{}'", order);
  if (!part->misfits) return {};
  return part->misfits(of_order, surroundings);
}

Partitioning make_partitioning(std::string_view partitioner, const Parameters& parameters,
                               const Cluster& cluster) {
  const Part* part = find_part(PartKind::partitioner, partitioner);
  SOMNUS_CHECK(part != nullptr, "no partitioner is called '{}'", partitioner);
  return part->make_partitioning(parameters, cluster);
}

}  // namespace somnus
