// Which parts can't do without which others. Each part may be exchanged for any other of its kind;
// these few combinations would do nothing, or nothing sensible.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/tables.hpp"

namespace somnus {
namespace {

/// "a", "b" or "c": the parts of a kind that are like that.
template <class Like>
std::string choices_with(PartKind kind, Like&& like) {
  std::vector<std::string> names;
  for (const Part& part : parts()) {
    if (part.kind == kind && like(part)) names.push_back(in_quotes(part.name));
  }
  if (names.size() < 2) return names.empty() ? "(none there is)" : names.front();
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

std::string with_queues() {
  return choices_with(PartKind::queue, [](const Part& part) {
    return std::get<QueuePart>(part.as).traits.holds_tasks;
  });
}

PlacementTraits traits_of_default(const Part& placement) {
  return std::get<PlacementPart>(placement.as).traits({});
}

}  // namespace

void check_composition(ValueReader& reader, const Table& document, const Settings& settings) {
  const SchedulerSettings& scheduler = settings.scheduler;
  const auto found = document.find("scheduler");
  const Table* const table = found == document.end() ? nullptr : found->second.table();
  if (table == nullptr || reader.any()) return;
  const auto refuse = [&](const char* key, std::string what, std::string hint) {
    reader.blame({.path = joined("scheduler", key),
                  .what = std::move(what),
                  .hint = std::move(hint),
                  .where = table->contains(key) ? "" : "scheduler.policy"});
  };
  const bool queues = has_worker_queues(settings);
  const bool resources = !settings.cluster.resources.empty();
  const PlacementTraits placement = placement_traits(composition_of(settings));
  const FeedbackTraits feedback = feedback_traits(scheduler.feedback);
  if (queues && resources) {
    refuse("queue", "a queue at nodes counts slots, and this cluster has resources",
           fmt::format("describe nodes by slots_per_node alone, or choose scheduler.queue = {}",
                       choices_with(PartKind::queue, [](const Part& part) {
                         return !std::get<QueuePart>(part.as).traits.holds_tasks;
                       })));
  }
  if (!queues && resources && !placement.heeds_demands) {
    refuse("placement",
           fmt::format("{} counts slots, and this cluster has resources",
                       in_quotes(scheduler.placement)),
           fmt::format("describe nodes by slots_per_node alone, or choose scheduler.placement = {}",
                       choices_with(PartKind::placement, [](const Part& part) {
                         return traits_of_default(part).heeds_demands;
                       })));
  }
  if (feedback.may_overfill && !queues) {
    refuse("feedback",
           fmt::format("with {} tasks are placed on nodes that may be full by then",
                       in_quotes(scheduler.feedback)),
           "it needs scheduler.queue = " + with_queues());
  }
  if (!placement.asks_nodes) return;
  if (!queues || settings.queue.bound != QueueBound::none) {
    refuse("placement",
           fmt::format("{} places tasks on the nodes that it has asked, full or not",
                       scheduler.placement),
           fmt::format("it needs scheduler.queue = {} and queue.bound = \"none\"", with_queues()));
  }
  if (feedback.opens_at_them) {
    refuse("feedback",
           fmt::format("{} does not wait for heartbeats, as {} would have it", scheduler.placement,
                       in_quotes(scheduler.feedback)),
           fmt::format("it needs scheduler.feedback = {}",
                       choices_with(PartKind::feedback, [](const Part& part) {
                         return !std::get<FeedbackPart>(part.as).traits.opens_at_them;
                       })));
  }
}

}  // namespace somnus
