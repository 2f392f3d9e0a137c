#include "config/gangs.hpp"

#include <fmt/format.h>

#include "config/choices.hpp"
#include "config/tables.hpp"
#include "scheduler/registry.hpp"

namespace somnus {
namespace {

/// Whether tasks can be placed on several nodes at one instant.
bool shows_nodes_together(const FeedbackTraits& traits) {
  return !traits.one_by_one && !traits.is_private && !traits.may_overfill;
}

}  // namespace

std::vector<Objection> objections_to_gangs(const Settings& settings) {
  const SchedulerSettings& scheduler = settings.scheduler;
  const FeedbackTraits feedback = feedback_traits(scheduler.feedback);
  std::vector<Objection> objections;
  if (!placement_traits(composition_of(settings)).places_gangs) {
    const std::string& placer = scheduler.whole.empty() ? scheduler.placement : scheduler.policy;
    objections.push_back(
        {.key = scheduler.whole.empty() ? "scheduler.placement" : "scheduler.policy",
         .what = fmt::format("{} places tasks one by one", in_quotes(placer)),
         .hint = fmt::format("choose an order with scheduler.placement = {}",
                             parts_that(PartKind::placement, [](const Part& part) {
                               return std::get<PlacementPart>(part.as).traits({}).places_gangs;
                             }))});
  }
  if (order_traits(composition_of(settings)).by_single_tasks && scheduler.whole.empty()) {
    objections.push_back(
        {.key = "scheduler.order",
         .what = fmt::format("{} lets a job have so many tasks and no more",
                             in_quotes(scheduler.order)),
         .hint = fmt::format("choose scheduler.order = {}",
                             parts_that(PartKind::order, [](const Part& part) {
                               return !std::get<OrderPart>(part.as).traits({}).by_single_tasks;
                             }))});
  }
  if (has_worker_queues(settings)) {
    objections.push_back({.key = "scheduler.queue",
                          .what = "queues at nodes hold tasks one by one",
                          .hint = fmt::format("choose scheduler.queue = {}",
                                              parts_that(PartKind::queue, [](const Part& part) {
                                                return std::get<QueuePart>(part.as).make == nullptr;
                                              }))});
  }
  if (!shows_nodes_together(feedback)) {
    objections.push_back(
        {.key = "scheduler.feedback",
         .what = fmt::format("with {} a manager can't count on several nodes at one instant",
                             in_quotes(scheduler.feedback)),
         .hint = fmt::format("choose scheduler.feedback = {}",
                             parts_that(PartKind::feedback, [](const Part& part) {
                               return shows_nodes_together(std::get<FeedbackPart>(part.as).traits);
                             }))});
  }
  if (settings.speculation.slowdown > 0) {
    objections.push_back({.key = "speculation.slowdown",
                          .what = "a backup is a task that starts by itself",
                          .hint = "leave [speculation] out"});
  }
  return objections;
}

}  // namespace somnus
