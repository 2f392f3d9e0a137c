// Which parts can't do without which others. Each part may be exchanged for any other of its kind;
// these few combinations would do nothing, or nothing sensible.
#include <fmt/format.h>

#include "config/tables.hpp"

namespace somnus {

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
  if (queues && !settings.cluster.resources.empty()) {
    refuse("queue", "a queue at nodes counts slots, and this cluster has resources",
           "describe nodes by slots_per_node alone, or choose scheduler.queue = \"none\"");
  }
  if (!queues && !settings.cluster.resources.empty() && scheduler.placement != "any-free") {
    refuse("placement",
           fmt::format("{} counts slots, and this cluster has resources",
                       in_quotes(scheduler.placement)),
           "describe nodes by slots_per_node alone, or choose scheduler.placement = \"any-free\"");
  }
  if (scheduler.feedback == "monitor" && !queues) {
    refuse("feedback", "with \"monitor\" tasks are placed on nodes that may be full by then",
           "it needs scheduler.queue = \"worker\"");
  }
  if (scheduler.placement != "batch-sampling") return;
  if (!queues || settings.queue.bound != QueueBound::none) {
    refuse("placement", "batch-sampling places tasks on the nodes that it has asked, full or not",
           "it needs scheduler.queue = \"worker\" and queue.bound = \"none\"");
  }
  if (scheduler.feedback == "heartbeat" || scheduler.feedback == "any-heartbeat") {
    refuse("feedback",
           fmt::format("batch-sampling does not wait for heartbeats, as {} would have it",
                       in_quotes(scheduler.feedback)),
           "it needs scheduler.feedback = \"at-once\" or \"monitor\"");
  }
}

}  // namespace somnus
