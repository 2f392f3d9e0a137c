#include "config/conditions.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "config/choices.hpp"
#include "warmup/warmup.hpp"

namespace somnus {
namespace {

std::string estimate_model(const Settings& s) { return in_quotes(name_of(s.estimate.model)); }

std::string queue_bound(const Settings& s) { return in_quotes(name_of(s.queue.bound)); }
std::string queue_reorder(const Settings& s) { return in_quotes(s.queue.reorder.name()); }
std::string queue_rebalance(const Settings& s) { return in_quotes(name_of(s.queue.rebalance)); }
bool some_order(const Settings& s) { return s.queue.reorder->reorders; }
bool some_rebalance(const Settings& s) { return s.queue.rebalance != Rebalance::none; }
constexpr const char* any_rebalance = "\"length\" or \"wait\"";

std::string in_quotes_if_any(const std::string& text) {
  return text.empty() ? text : in_quotes(text);
}

std::string heartbeats() {
  const std::string feedbacks = parts_that(PartKind::feedback, [](const Part& part) {
    return std::get<FeedbackPart>(part.as).traits.heartbeats;
  });
  return feedbacks + ", or scheduler.queue = " + queues_that_hold_tasks() +
         ", or faults.missed_heartbeats = 2 or more";
}

std::string any_order() {
  std::vector<std::string> names;
  for (const ReorderingRow& row : Reordering::all()) {
    if (row.reorders) names.emplace_back(row.name);
  }
  return either(std::move(names));
}

Condition of_heartbeats(std::string_view table, std::string_view key) {
  return {.table = table,
          .key = key,
          .decided_by = "scheduler.feedback",
          .needs = heartbeats(),
          .holds =
              [](const Settings& s) {
                const bool unknown = find_part(PartKind::feedback, s.scheduler.feedback) == nullptr;
                return unknown || has_heartbeats(s);
              },
          .found = [](const Settings& s) { return in_quotes_if_any(s.scheduler.feedback); }};
}

/// A key of [faults] that says more of what another makes happen.
Condition of_chance(std::string_view key, std::string_view decided_by,
                    double FaultSettings::* chance) {
  return {.table = "faults",
          .key = key,
          .decided_by = decided_by,
          .needs = "more than 0",
          .holds = [chance](const Settings& s) { return s.faults.*chance > 0; },
          .found = [](const Settings&) { return std::string("0"); }};
}

Condition of_speculation(std::string_view key) {
  return {.table = "speculation",
          .key = key,
          .decided_by = "speculation.slowdown",
          .needs = "1 or more",
          .holds = [](const Settings& s) { return s.speculation.slowdown > 0; },
          .found = [](const Settings&) { return std::string("0"); }};
}

Condition of_rebalance(std::string_view key) {
  return {.table = "queue",
          .key = key,
          .decided_by = "queue.rebalance",
          .needs = any_rebalance,
          .holds = some_rebalance,
          .found = queue_rebalance};
}

bool has_key(const WarmupRow& model, std::string_view key) {
  return std::ranges::find(model.parameters, key, &ParameterInfo::name) != model.parameters.end();
}

/// Each key of [jvm] is read by the models that have it.
void add_keys_of_models(std::vector<Condition>& table) {
  for (const WarmupRow& model : warmup_models()) {
    for (const ParameterInfo& info : model.parameters) {
      const std::string_view key = info.name;
      const bool known = std::ranges::any_of(table, [&](const Condition& condition) {
        return condition.table == "jvm" && condition.key == key;
      });
      if (known) continue;
      std::vector<std::string> needs;
      for (const WarmupRow& each : warmup_models()) {
        if (has_key(each, key)) needs.push_back(each.name);
      }
      table.push_back({.table = "jvm",
                       .key = key,
                       .decided_by = "jvm.model",
                       .needs = either(std::move(needs)),
                       .holds =
                           [key](const Settings& s) {
                             const WarmupRow* const chosen = find_warmup(s.jvm.model);
                             return chosen == nullptr || has_key(*chosen, key);
                           },
                       .found = [](const Settings& s) { return in_quotes(s.jvm.model); }});
    }
  }
}

std::vector<Condition> made() {
  std::vector<Condition> table = {
      {.table = "queue",
       .key = "",
       .decided_by = "scheduler.queue",
       .needs = queues_that_hold_tasks(),
       .holds = [](const Settings& s) { return has_worker_queues(s); },
       .found = [](const Settings& s) { return in_quotes_if_any(s.scheduler.queue); }},
      {.table = "queue",
       .key = "length",
       .decided_by = "queue.bound",
       .needs = "\"length\"",
       .holds = [](const Settings& s) { return s.queue.bound == QueueBound::length; },
       .found = queue_bound},
      {.table = "queue",
       .key = "max_wait_s",
       .decided_by = "queue.bound",
       .needs = "\"delay\"",
       .holds = [](const Settings& s) { return s.queue.bound == QueueBound::delay; },
       .found = queue_bound},
      {.table = "queue",
       .key = "starvation_s",
       .decided_by = "queue.reorder",
       .needs = any_order(),
       .holds = some_order,
       .found = queue_reorder},
      {.table = "queue",
       .key = "starvation_relative",
       .decided_by = "queue.reorder",
       .needs = any_order(),
       .holds = some_order,
       .found = queue_reorder},
      of_rebalance("rebalance_interval_s"),
      of_rebalance("rebalance_sigma"),
      of_rebalance("rebalance_low"),
      of_rebalance("rebalance_high"),
      {.table = "estimate",
       .key = "error",
       .decided_by = "estimate.model",
       .needs = "\"uniform\"",
       .holds = [](const Settings& s) { return s.estimate.model == EstimateModel::uniform; },
       .found = estimate_model},
      {.table = "estimate",
       .key = "default_task_s",
       .decided_by = "estimate.model",
       .needs = "\"naive\"",
       .holds = [](const Settings& s) { return s.estimate.model == EstimateModel::naive; },
       .found = estimate_model},
      {.table = "estimate",
       .key = "demand_error",
       .decided_by = "cluster.resources",
       .needs = "{ KIND = AMOUNT }",
       .holds = [](const Settings& s) { return !s.cluster.resources.empty(); },
       .found = [](const Settings&) { return in_quotes("none"); }},
      of_heartbeats("heartbeat", ""),
      of_heartbeats("faults", "heartbeat_loss_probability"),
      of_heartbeats("faults", "heartbeat_late_probability"),
      of_chance("node_repair_s", "faults.node_mtbf_s", &FaultSettings::node_mtbf_s),
      of_chance("cut_off_share", "faults.node_mtbf_s", &FaultSettings::node_mtbf_s),
      of_chance("slow_node_factor", "faults.slow_node_probability",
                &FaultSettings::slow_node_probability),
      of_chance("straggler_factor", "faults.straggler_probability",
                &FaultSettings::straggler_probability),
      of_chance("task_attempts", "faults.task_failure_probability",
                &FaultSettings::task_failure_probability),
      of_chance("heartbeat_late_s", "faults.heartbeat_late_probability",
                &FaultSettings::heartbeat_late_probability),
      of_speculation("quantile"),
      of_speculation("least_s"),
      {.table = "limits",
       .key = "factor",
       .decided_by = "limits.model",
       .needs = "\"factor\" or \"rounded\"",
       .holds =
           [](const Settings& s) {
             return s.limits.model == LimitModel::factor || s.limits.model == LimitModel::rounded;
           },
       .found = [](const Settings& s) { return in_quotes(name_of(s.limits.model)); }},
      {.table = "run",
       .key = "audit_keys",
       .decided_by = "scheduler.policy",
       .needs = "one with an order",
       .holds = [](const Settings& s) { return s.scheduler.whole.empty(); },
       .found = [](const Settings& s) { return in_quotes_if_any(s.scheduler.policy); }},
      {.table = "run",
       .key = "poll_us",
       .decided_by = "run.poll",
       .needs = "\"auto\" or \"sleep\"",
       .holds = [](const Settings& s) { return s.run.poll != Poll::spin; },
       .found = [](const Settings& s) { return in_quotes(name_of(s.run.poll)); }},
  };
  add_keys_of_models(table);
  return table;
}

const std::vector<Condition>& all() {
  static const std::vector<Condition> table = made();
  return table;
}

}  // namespace

std::span<const Condition> conditions() { return all(); }

const Condition* condition_of(std::string_view table, std::string_view key) {
  for (const Condition& condition : all()) {
    if (condition.table == table && condition.key == key) return &condition;
  }
  return nullptr;
}

bool is_read(const Settings& settings, std::string_view table, std::string_view key) {
  const Condition* const whole = condition_of(table, "");
  if (whole != nullptr && !whole->holds(settings)) return false;
  const Condition* const one = condition_of(table, key);
  if (one == nullptr) return true;
  if (!one->holds(settings)) return false;
  // What decides it may be read by nobody itself.
  const std::size_t dot = one->decided_by.find('.');
  return is_read(settings, one->decided_by.substr(0, dot), one->decided_by.substr(dot + 1));
}

}  // namespace somnus
