// The one table where names meet code. `somnus policies`, config loading, the log and the docs all
// read it. Adding a policy: one file pair, one row in registry.cpp, one line in the tests.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.hpp"
#include "base/parameters.hpp"
#include "model/cluster.hpp"
#include "model/partition.hpp"
#include "model/worker_queue.hpp"
#include "model/workload.hpp"
#include "policy/policy.hpp"

namespace somnus {

enum class PartKind { order, placement, feedback, queue, partitioner };

template <>
struct EnumNames<PartKind> {
  static constexpr std::pair<PartKind, const char*> names[] = {
      {PartKind::order, "order"},
      {PartKind::placement, "placement"},
      {PartKind::feedback, "feedback"},
      {PartKind::queue, "queue"},
      {PartKind::partitioner, "partitioner"}};
};

/// What a part may know of the world that it is made for.
struct Surroundings {
  const Cluster& cluster;
  std::span<const std::string> queues;  // names of the workload's queues, by QueueId
  std::uint64_t seed = 1;               // of the run
};

/// A parameter that is fine by itself and yet can't be meant for these surroundings.
struct Misfit {
  std::string parameter;
  std::string what;  // is wrong, in words
};

/// One exchangeable part of a scheduler.
struct Part {
  PartKind kind;
  std::string name;            // as in the config, e.g. `order = "cfq"`
  std::string summary;         // one sentence
  std::string source;          // paper and section
  std::string note;            // what its user should know; sentences, may be empty
  ParameterSchema parameters;  // keys of [scheduler.NAME]
  // The one of its kind; none for feedback and queue, which live in engine and nodes.
  std::function<std::unique_ptr<Order>(const Parameters&, const Surroundings&)> make_order;
  std::function<std::unique_ptr<Placement>(const Parameters&, const Surroundings&)> make_placement;
  std::function<Partitioning(const Parameters&, const Cluster&)> make_partitioning;
  /// None where any surroundings will do.
  std::function<std::vector<Misfit>(const Parameters&, const Surroundings&)> misfits;
};

/// A published system, as a composition.
struct Preset {
  std::string name;  // as in the config, e.g. `policy = "cfq"`
  std::string order;
  std::string placement;
  std::string feedback;
  std::string queue;
  std::string partitioner;
  std::string summary;
  std::string source;
  QueueRules queue_rules{};       // [queue], where it says nothing else
  JobManagerRules job_manager{};  // [job_manager], likewise
};

[[nodiscard]] std::span<const Part> parts();
[[nodiscard]] std::span<const Preset> presets();
[[nodiscard]] const Part* find_part(PartKind kind, std::string_view name);
[[nodiscard]] const Preset* find_preset(std::string_view name);

/// What a policy is made of. Parameters that are not given keep their defaults; names must be known
/// (config checks both), and the surroundings must have no misfits_of().
struct Composition {
  std::string_view order;
  const Parameters& of_order;
  std::string_view placement;
  const Parameters& of_placement;
  const QueueRules* queue = nullptr;  // of the nodes, if they have any
};

/// The composition "serve": take the next task of the order, find it a node. Rebalanced if the
/// queues' rules say so.
[[nodiscard]] std::unique_ptr<Policy> make_policy(const Composition& composition,
                                                  const Surroundings& surroundings);

/// Of the order's parameters.
[[nodiscard]] std::vector<Misfit> misfits_of(std::string_view order, const Parameters& of_order,
                                             const Surroundings& surroundings);

/// How that partitioner cuts divisible stages on that cluster, told the truth of their work.
[[nodiscard]] Partitioning make_partitioning(std::string_view partitioner,
                                             const Parameters& parameters, const Cluster& cluster);

}  // namespace somnus
