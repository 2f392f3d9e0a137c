// What parts of schedulers and which presets there are, by name. `somnus policies`, config loading,
// the log, the laws and the docs all read these tables. Each part's file ends with its own row
// (scheduler/rows.hpp makes it). The reorderings of nodes' queues are rows of
// queueing/reordering.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/describe.hpp"
#include "base/parameters.hpp"
#include "model/cluster.hpp"
#include "model/partition.hpp"
#include "queueing/worker_queue.hpp"
#include "scheduler/backfill.hpp"
#include "scheduler/environment.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/preemptor.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

enum class PartKind {
  policy,
  order,
  within,
  backfill,
  preemption,
  placement,
  feedback,
  queue,
  reorder,
  partitioner
};

template <>
struct EnumNames<PartKind> {
  static constexpr std::pair<PartKind, const char*> names[] = {
      {PartKind::policy, "policy"},         {PartKind::order, "order"},
      {PartKind::within, "within"},         {PartKind::backfill, "backfill"},
      {PartKind::preemption, "preemption"}, {PartKind::placement, "placement"},
      {PartKind::feedback, "feedback"},     {PartKind::queue, "queue"},
      {PartKind::reorder, "reorder"},       {PartKind::partitioner, "partitioner"}};
};

// What there is to make of a part of each kind, with parameters that have been checked.

template <class Made>
using Make = std::function<std::unique_ptr<Made>(const Parameters&, const Environment&)>;
/// What of its parameters can't be meant there.
using ConfigErrors = std::function<std::vector<ConfigError>(const Parameters&, const Environment&)>;

/// No order x placement: it decides by itself.
struct PolicyPart {
  Make<Policy> make;
  std::function<PolicyTraits(const Parameters&)> traits;
  ConfigErrors config_errors;
};
struct OrderPart {
  Make<Order> make;
  std::function<OrderTraits(const Parameters&)> traits;
  ConfigErrors config_errors;
};
struct StageOrderPart {
  Make<StageOrder> make;
};
struct BackfillPart {
  Make<Backfill> make;  // makes none: first-fit
  BackfillTraits traits;
};
struct PreemptionPart {
  std::function<std::unique_ptr<Preemptor>()> make;  // makes none: who runs, runs to its end
  WorkDone done = WorkDone::lost;                    // of those that give up their slots
};
struct PlacementPart {
  Make<Placement> make;
  std::function<PlacementTraits(const Parameters&)> traits;
  ConfigErrors config_errors;
};
struct FeedbackPart {
  std::function<std::unique_ptr<Feedback>()> make;
  FeedbackTraits traits;
};
struct QueuePart {
  MakeQueue make = nullptr;  // none: a node holds no task that it can't start
  QueueTraits traits{};
};
struct PartitionerPart {
  std::function<Partitioning(const Parameters&, const Cluster&)> make;
  std::function<PartitionerTraits(const Parameters&)> traits;
};

/// One exchangeable part of a scheduler.
struct Part {
  PartKind kind;
  std::string name;            // as in the config, e.g. `order = "cfq"`
  std::string summary;         // one sentence
  std::string source;          // paper and section
  std::string note;            // what its user should know; sentences, may be empty
  ParameterSchema parameters;  // keys of [scheduler.NAME]
  std::variant<PolicyPart, OrderPart, StageOrderPart, BackfillPart, PreemptionPart, PlacementPart,
               FeedbackPart, QueuePart, Reordering, PartitionerPart>
      as;
  std::vector<Parameters> examples{};  // beside the defaults, for which laws are held as well

  [[nodiscard]] std::pair<PartKind, std::string> key() const { return {kind, name}; }
  /// The same part, for the end of its row.
  [[nodiscard]] Part with_examples(std::vector<Parameters> given) && {
    examples = std::move(given);
    return std::move(*this);
  }
};

/// What a scheduler is made of where nobody says anything else; nullptr: it has to be said.
[[nodiscard]] const char* default_part(PartKind kind);

/// A published system, as a composition; of a whole policy, or else of an order and a placement.
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
  JobManagerRules job_manager{};  // [job_manager], where it says nothing else
  std::string whole{};            // a policy, instead of order and placement, which are empty then
  std::string within = default_part(PartKind::within);
  std::map<std::string, Parameters> parameters{};  // by part, where [scheduler.PART] says nothing
  std::string backfill = default_part(PartKind::backfill);
  std::string preemption = default_part(PartKind::preemption);

  [[nodiscard]] const std::string& key() const { return name; }
};

[[nodiscard]] std::span<const Part> parts();
[[nodiscard]] std::span<const Preset> presets();
[[nodiscard]] const Part* find_part(PartKind kind, std::string_view name);
[[nodiscard]] const Preset* find_preset(std::string_view name);

/// What a scheduler is made of: parts by name, as find_part() knows them, with parameters that have
/// been checked; those that are not given keep their defaults.
struct Composition {
  std::string whole{};  // a policy, instead of order and placement
  Parameters of_whole{};
  std::string order{};
  Parameters of_order{};
  std::string within = default_part(PartKind::within);
  std::string backfill = default_part(PartKind::backfill);
  Parameters of_backfill{};
  std::string preemption = default_part(PartKind::preemption);
  std::string placement{};
  Parameters of_placement{};
  std::string feedback = default_part(PartKind::feedback);
  std::optional<QueueRules> queue{};  // of the nodes; none: they hold no task that can't start
};

/// There must be no config_errors_of(). An order and a placement serve, where there is no whole
/// policy: take the next task of the order, find it a node. Rebalanced if the queues' rules say so.
/// instead: of the composition's policy, or order and placement, which are not made then.
[[nodiscard]] Scheduler make_scheduler(const Composition& composition,
                                       const Environment& environment,
                                       std::unique_ptr<Policy> instead);
[[nodiscard]] Scheduler make_scheduler(const Composition& composition,
                                       const Environment& environment);

/// Of the parameters of all parts, each under its part's name: "capacity.capacities".
[[nodiscard]] std::vector<ConfigError> config_errors_of(const Composition& composition,
                                                        const Environment& environment);

// What the chosen parts say of themselves; a whole policy, as order and as placement.
[[nodiscard]] OrderTraits order_traits(const Composition& composition);
[[nodiscard]] PlacementTraits placement_traits(const Composition& composition);
/// Empty: of a whole policy, which has none.
[[nodiscard]] BackfillTraits backfill_traits(std::string_view name);
/// What becomes of the work of those that give up their slots.
[[nodiscard]] WorkDone work_after_preemption(std::string_view name);
[[nodiscard]] FeedbackTraits feedback_traits(std::string_view name);
[[nodiscard]] const QueuePart& queue_part(std::string_view name);
[[nodiscard]] PartitionerTraits partitioner_traits(std::string_view name,
                                                   const Parameters& parameters);

/// How that partitioner cuts divisible stages on that cluster, given the true work.
[[nodiscard]] Partitioning make_partitioning(std::string_view partitioner,
                                             const Parameters& parameters, const Cluster& cluster);

}  // namespace somnus
