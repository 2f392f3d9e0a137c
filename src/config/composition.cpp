// Which parts can't do without which others. Each part may be exchanged for any other of its kind;
// these few combinations would do nothing, or nothing sensible.
#include <fmt/format.h>

#include "config/tables.hpp"
#include "config/toml_text.hpp"

namespace somnus {

void check_composition(Reading& reading, const toml::table& document, const Settings& settings) {
  const SchedulerSettings& scheduler = settings.scheduler;
  const toml::table* const table = document["scheduler"].as_table();
  if (table == nullptr || reading.any()) return;
  const auto refuse = [&](const char* key, std::string what, std::string hint) {
    const toml::node* const node = table->get(key);
    const toml::node* const policy = table->get("policy");
    const toml::node& where = node != nullptr ? *node : policy != nullptr ? *policy : *table;
    reading.blame(where.source(), joined("scheduler", key), std::move(what), std::move(hint));
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
