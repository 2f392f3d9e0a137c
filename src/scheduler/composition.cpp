// From names to the parts that run.
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "scheduler/rebalanced.hpp"
#include "scheduler/registry.hpp"
#include "scheduler/serve.hpp"

namespace somnus {
namespace {

template <class As>
const As& part_as(PartKind kind, std::string_view name) {
  const Part* const part = find_part(kind, name);
  SOMNUS_CHECK(part != nullptr, "no {} is called '{}'", name_of(kind), name);
  return std::get<As>(part->as);
}

std::unique_ptr<Policy> make_policy(const Composition& composition,
                                    const Environment& environment) {
  if (!composition.whole.empty()) {
    return part_as<PolicyPart>(PartKind::policy, composition.whole)
        .make(composition.of_whole, environment);
  }
  const auto& order = part_as<OrderPart>(PartKind::order, composition.order);
  const auto& placement = part_as<PlacementPart>(PartKind::placement, composition.placement);
  const bool is_private = feedback_traits(composition.feedback).is_private;
  return std::make_unique<Serve>(
      order.make(composition.of_order, environment),
      placement.make(composition.of_placement, environment),
      is_private ? Serve::Managers::see_their_own : Serve::Managers::see_the_same,
      part_as<BackfillPart>(PartKind::backfill, composition.backfill)
          .make(composition.of_backfill, environment),
      part_as<PreemptionPart>(PartKind::preemption, composition.preemption).make());
}

PolicyTraits policy_traits(const Composition& composition) {
  return part_as<PolicyPart>(PartKind::policy, composition.whole).traits(composition.of_whole);
}

}  // namespace

Scheduler make_scheduler(const Composition& composition, const Environment& environment) {
  std::unique_ptr<Policy> policy = make_policy(composition, environment);
  if (composition.queue && composition.queue->rebalance != Rebalance::none) {
    policy = std::make_unique<Rebalanced>(std::move(policy), *composition.queue);
  }
  return make_scheduler(composition, environment, std::move(policy));
}

Scheduler make_scheduler(const Composition& composition, const Environment& environment,
                         std::unique_ptr<Policy> instead) {
  return {
      .policy = std::move(instead),
      .feedback = part_as<FeedbackPart>(PartKind::feedback, composition.feedback).make(),
      .within = part_as<StageOrderPart>(PartKind::within, composition.within).make({}, environment),
      .queue = composition.queue};
}

std::vector<ConfigError> config_errors_of(const Composition& composition,
                                          const Environment& environment) {
  std::vector<ConfigError> config_errors;
  const auto ask = [&](const auto& part, const std::string& name, const Parameters& given) {
    for (ConfigError& config_error : part.config_errors(given, environment)) {
      config_errors.push_back(
          {.parameter = name + "." + config_error.parameter, .what = std::move(config_error.what)});
    }
  };
  if (!composition.whole.empty()) {
    const std::string& whole = composition.whole;
    ask(part_as<PolicyPart>(PartKind::policy, whole), whole, composition.of_whole);
    return config_errors;
  }
  const auto& [order, placement] = std::tie(composition.order, composition.placement);
  ask(part_as<OrderPart>(PartKind::order, order), order, composition.of_order);
  ask(part_as<PlacementPart>(PartKind::placement, placement), placement, composition.of_placement);
  return config_errors;
}

OrderTraits order_traits(const Composition& composition) {
  if (!composition.whole.empty()) return policy_traits(composition).order;
  return part_as<OrderPart>(PartKind::order, composition.order).traits(composition.of_order);
}

PlacementTraits placement_traits(const Composition& composition) {
  if (!composition.whole.empty()) return policy_traits(composition).placement;
  return part_as<PlacementPart>(PartKind::placement, composition.placement)
      .traits(composition.of_placement);
}

BackfillTraits backfill_traits(std::string_view name) {
  return name.empty() ? BackfillTraits() : part_as<BackfillPart>(PartKind::backfill, name).traits;
}

WorkDone work_after_preemption(std::string_view name) {
  return part_as<PreemptionPart>(PartKind::preemption, name).done;
}

FeedbackTraits feedback_traits(std::string_view name) {
  return part_as<FeedbackPart>(PartKind::feedback, name).traits;
}

const QueuePart& queue_part(std::string_view name) {
  return part_as<QueuePart>(PartKind::queue, name);
}

PartitionerTraits partitioner_traits(std::string_view name, const Parameters& parameters) {
  return part_as<PartitionerPart>(PartKind::partitioner, name).traits(parameters);
}

Partitioning make_partitioning(std::string_view partitioner, const Parameters& parameters,
                               const Cluster& cluster) {
  return part_as<PartitionerPart>(PartKind::partitioner, partitioner).make(parameters, cluster);
}

}  // namespace somnus
