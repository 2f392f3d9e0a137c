#include "policy/registry.hpp"

#include <algorithm>

#include "knowledge/books.hpp"
#include "knowledge/monitor.hpp"
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

template <Described T>
T with_parameters(const Parameters& given) {
  T described;
  apply_parameters(described, given);
  return described;
}

template <Ranking R>
Part order(const char* name, const char* summary, const char* source, const char* note = "") {
  OrderPart part;
  part.make = [](const Parameters& given, const Surroundings& surroundings) {
    R ranking = with_parameters<R>(given, surroundings.cluster);
    if constexpr (Hears<R, Settled>) ranking.on(Settled{surroundings});
    return std::make_unique<Ranked<R>>(std::move(ranking));
  };
  part.traits = []([[maybe_unused]] const Parameters& given) {
    if constexpr (requires(const R ranking) { ranking.traits(); }) {
      return with_parameters<R>(given, Cluster()).traits();
    } else {
      return OrderTraits();
    }
  };
  part.misfits = []([[maybe_unused]] const Parameters& given,
                    [[maybe_unused]] const Surroundings& surroundings) {
    if constexpr (requires(const R ranking) { ranking.misfits(surroundings); }) {
      return with_parameters<R>(given, surroundings.cluster).misfits(surroundings);
    } else {
      return std::vector<Misfit>();
    }
  };
  return {.kind = PartKind::order,
          .name = name,
          .summary = summary,
          .source = source,
          .note = note,
          .parameters = parameters_of(fresh<R>(Cluster())),
          .as = std::move(part)};
}

/// One with Rules says its traits by them; one without, once for all.
template <class P>
Part placement(const char* name, const char* summary, const char* source) {
  Part part{.kind = PartKind::placement,
            .name = name,
            .summary = summary,
            .source = source,
            .note = {},
            .parameters = {},
            .as = {}};
  if constexpr (requires { typename P::Rules; }) {
    using Rules = typename P::Rules;
    part.parameters = parameters_of(Rules());
    part.as = PlacementPart{
        .make =
            [](const Parameters& given, const Surroundings& surroundings) {
              return std::make_unique<P>(with_parameters<Rules>(given), surroundings);
            },
        .traits = [](const Parameters& given) { return with_parameters<Rules>(given).traits(); }};
  } else {
    part.as =
        PlacementPart{.make =
                          [](const Parameters&, [[maybe_unused]] const Surroundings& surroundings) {
                            if constexpr (std::is_constructible_v<P, const Surroundings&>) {
                              return std::make_unique<P>(surroundings);
                            } else {
                              return std::make_unique<P>();
                            }
                          },
                      .traits = [](const Parameters&) { return P::traits; }};
  }
  return part;
}

template <class F>
Part feedback(const char* name, const char* summary, const char* source) {
  return {.kind = PartKind::feedback,
          .name = name,
          .summary = summary,
          .source = source,
          .note = {},
          .parameters = {},
          .as = FeedbackPart{.make = [] { return std::make_unique<F>(); }, .traits = F::traits}};
}

Part queue(const char* name, const char* summary, const char* source, QueueTraits traits) {
  return {.kind = PartKind::queue,
          .name = name,
          .summary = summary,
          .source = source,
          .note = {},
          .parameters = {},
          .as = QueuePart{.traits = traits}};
}

Part reordering(const ReorderingRow& row) {
  return {.kind = PartKind::reorder,
          .name = row.name,
          .summary = row.summary,
          .source = row.source,
          .note = {},
          .parameters = {},
          .as = Reordering::named(row.name)};
}

template <class P>
Part partitioner(const char* name, const char* summary, const char* source) {
  return {.kind = PartKind::partitioner,
          .name = name,
          .summary = summary,
          .source = source,
          .note = {},
          .parameters = parameters_of(P()),
          .as = PartitionerPart{.make =
                                    [](const Parameters& given, const Cluster& cluster) {
                                      return with_parameters<P>(given).partitioning(
                                          cluster.slot_count());
                                    },
                                .traits = P::traits}};
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

std::vector<Part> all_parts() {
  std::vector<Part> all = {
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
      queue("none", "a node holds no task that it can't start", "Spark", {}),
      queue("worker", "each node has a queue, by the rules of [queue]", "Yaq section 3",
            {.holds_tasks = true}),
      partitioner<BySize>("by-size", "divisible stages are cut into equal parts of their input",
                          "Spark"),
      partitioner<ByRuntime>("by-runtime",
                             "divisible stages are cut into tasks of about the same run time",
                             "UWFQ section IV"),
  };
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
    case PartKind::order:
    case PartKind::placement:
      return nullptr;
    case PartKind::feedback:
      return "at-once";
    case PartKind::queue:
      return "none";
    case PartKind::reorder:
      return Reordering().name();
    case PartKind::partitioner:
      return "by-size";
  }
  return nullptr;
}

namespace {

template <class As>
const As& part_as(PartKind kind, std::string_view name) {
  const Part* const part = find_part(kind, name);
  SOMNUS_CHECK(part != nullptr, "no {} is called '{}'", name_of(kind), name);
  return std::get<As>(part->as);
}

std::unique_ptr<Policy> make_policy(const Composition& composition,
                                    const Surroundings& surroundings) {
  const auto& order = part_as<OrderPart>(PartKind::order, composition.order);
  const auto& placement = part_as<PlacementPart>(PartKind::placement, composition.placement);
  return std::make_unique<Serve>(order.make(composition.of_order, surroundings),
                                 placement.make(composition.of_placement, surroundings));
}

}  // namespace

Scheduler make_scheduler(const Composition& composition, const Surroundings& surroundings) {
  Scheduler scheduler{
      .policy = make_policy(composition, surroundings),
      .feedback = part_as<FeedbackPart>(PartKind::feedback, composition.feedback).make(),
      .queue = composition.queue};
  if (composition.queue && composition.queue->rebalance != Rebalance::none) {
    scheduler.policy =
        std::make_unique<Rebalanced>(std::move(scheduler.policy), *composition.queue);
  }
  return scheduler;
}

std::vector<Misfit> misfits_of(const Composition& composition, const Surroundings& surroundings) {
  return part_as<OrderPart>(PartKind::order, composition.order)
      .misfits(composition.of_order, surroundings);
}

OrderTraits order_traits(const Composition& composition) {
  return part_as<OrderPart>(PartKind::order, composition.order).traits(composition.of_order);
}

PlacementTraits placement_traits(const Composition& composition) {
  return part_as<PlacementPart>(PartKind::placement, composition.placement)
      .traits(composition.of_placement);
}

FeedbackTraits feedback_traits(std::string_view name) {
  return part_as<FeedbackPart>(PartKind::feedback, name).traits;
}

QueueTraits queue_traits(std::string_view name) {
  return part_as<QueuePart>(PartKind::queue, name).traits;
}

PartitionerTraits partitioner_traits(std::string_view name) {
  return part_as<PartitionerPart>(PartKind::partitioner, name).traits;
}

Partitioning make_partitioning(std::string_view partitioner, const Parameters& parameters,
                               const Cluster& cluster) {
  return part_as<PartitionerPart>(PartKind::partitioner, partitioner).make(parameters, cluster);
}

}  // namespace somnus
