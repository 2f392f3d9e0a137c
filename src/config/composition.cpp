// Which parts can't do without which others. Each part may be exchanged for any other of its kind;
// these few combinations would do nothing, or nothing sensible.
#include <fmt/format.h>

#include "config/choices.hpp"
#include "config/gangs.hpp"
#include "config/tables.hpp"

namespace somnus {
namespace {

/// Of a placement or a whole policy, with its default parameters.
PlacementTraits traits_of_default(const Part& part) {
  if (const auto* const whole = std::get_if<PolicyPart>(&part.as)) {
    return whole->traits({}).placement;
  }
  return std::get<PlacementPart>(part.as).traits({});
}

bool may_have_tiers(const Part& order) {
  const OrderTraits traits = std::get<OrderPart>(order.as).traits({});
  return traits.has_tiers || *traits.tiers_by != 0;
}

}  // namespace

void check_composition(ValueReader& reader, const Table& document, const Settings& settings) {
  const SchedulerSettings& scheduler = settings.scheduler;
  const auto found = document.find("scheduler");
  const Table* const table = found == document.end() ? nullptr : found->second.table();
  if (table == nullptr || reader.any_wrong()) return;
  const auto refuse = [&](const char* key, std::string what, std::string hint) {
    reader.add_error({.path = joined("scheduler", key),
                      .what = std::move(what),
                      .hint = std::move(hint),
                      .where = table->contains(key) ? "" : "scheduler.policy"});
  };
  const bool queues = has_worker_queues(settings);
  const bool resources = !settings.cluster.resources.empty();
  const PlacementTraits placement = placement_traits(composition_of(settings));
  const PartKind placing = scheduler.whole.empty() ? PartKind::placement : PartKind::policy;
  const std::string& placer = scheduler.whole.empty() ? scheduler.placement : scheduler.policy;
  const FeedbackTraits feedback = feedback_traits(scheduler.feedback);
  const bool no_slots = settings.cluster.slot_count() == 0;
  if (no_slots && order_traits(composition_of(settings)).counts_slots) {
    refuse("order",
           fmt::format("{} counts slots, and this cluster has resources and no slots",
                       in_quotes(scheduler.order)),
           fmt::format("give slots_per_node beside resources, or choose scheduler.order = {}",
                       parts_that(PartKind::order, [](const Part& part) {
                         return !std::get<OrderPart>(part.as).traits({}).counts_slots;
                       })));
  }
  if (queues && resources) {
    refuse("queue", "a queue at nodes counts slots, and this cluster has resources",
           fmt::format("describe nodes by slots_per_node alone, or choose scheduler.queue = {}",
                       parts_that(PartKind::queue, [](const Part& part) {
                         return std::get<QueuePart>(part.as).make == nullptr;
                       })));
  }
  if (!queues && resources && !placement.heeds_demands) {
    refuse(name_of(placing),
           fmt::format("{} counts slots, and this cluster has resources", in_quotes(placer)),
           fmt::format("describe nodes by slots_per_node alone, or choose scheduler.{} = {}",
                       name_of(placing), parts_that(placing, [](const Part& part) {
                         return traits_of_default(part).heeds_demands;
                       })));
  }
  const std::string& backfill = scheduler.backfill;
  const bool plans = !backfill.empty() && backfill != default_part(PartKind::backfill);
  if (plans && resources && backfill_traits(backfill).counts_slots) {
    refuse("backfill",
           fmt::format("{} counts slots, and this cluster has resources", in_quotes(backfill)),
           fmt::format("describe nodes by slots_per_node alone, or choose scheduler.backfill = {}",
                       parts_that(PartKind::backfill, [](const Part& part) {
                         return !std::get<BackfillPart>(part.as).traits.counts_slots;
                       })));
  }
  const std::string& preemption = scheduler.preemption;
  if (preempts(settings) && resources) {
    refuse("preemption",
           fmt::format("{} counts slots, and this cluster has resources", in_quotes(preemption)),
           "describe nodes by slots_per_node alone, or leave scheduler.preemption out");
  }
  const OrderTraits order = order_traits(composition_of(settings));
  if (preempts(settings) && !order.has_tiers) {
    const std::string key = fmt::format("{}.{}", scheduler.order, order.tiers_by);
    refuse("preemption",
           fmt::format("with order {} nobody may take another's slots", in_quotes(scheduler.order)),
           *order.tiers_by != 0
               ? fmt::format("make tiers by scheduler.{}, or leave scheduler.preemption out", key)
               : fmt::format("choose scheduler.order = {}, or leave scheduler.preemption out",
                             parts_that(PartKind::order, may_have_tiers)));
  }
  for (const Objection& objection :
       plans || preempts(settings) ? objections_to_gangs(settings) : std::vector<Objection>()) {
    const char* const key = plans ? "backfill" : "preemption";
    reader.add_error(
        {.path = objection.key,
         .what = fmt::format("{}; scheduler.{} = {} is for tasks that start as soon "
                             "as slots are free",
                             objection.what, key, in_quotes(plans ? backfill : preemption)),
         .hint = objection.hint,
         .where = joined("scheduler", key)});
  }
  if (feedback.may_overfill && !queues) {
    refuse("feedback",
           fmt::format("with {} tasks are placed on nodes that may be full by then",
                       in_quotes(scheduler.feedback)),
           "it needs scheduler.queue = " + queues_that_hold_tasks());
  }
  if (feedback.is_private && placement.same_view) {
    refuse(
        "feedback",
        fmt::format("with {} each job's manager sees something else, and {} decides for all jobs "
                    "at once",
                    in_quotes(scheduler.feedback), in_quotes(placer)),
        "it needs scheduler.feedback = " + parts_that(PartKind::feedback, [](const Part& part) {
          return !std::get<FeedbackPart>(part.as).traits.is_private;
        }));
  }
  if (!placement.asks_nodes) return;
  if (!queues || settings.queue.bound != QueueBound::none) {
    refuse(name_of(placing),
           fmt::format("{} places tasks on the nodes that it has asked, full or not", placer),
           fmt::format("it needs scheduler.queue = {} and queue.bound = \"none\"",
                       queues_that_hold_tasks()));
  }
  if (feedback.opens_at_them) {
    refuse("feedback",
           fmt::format("{} does not wait for heartbeats, as {} would have it", placer,
                       in_quotes(scheduler.feedback)),
           fmt::format("it needs scheduler.feedback = {}",
                       parts_that(PartKind::feedback, [](const Part& part) {
                         return !std::get<FeedbackPart>(part.as).traits.opens_at_them;
                       })));
  }
}

}  // namespace somnus
