#include "config/conditions.hpp"

namespace somnus {
namespace {

std::string estimate_model(const Settings& s) { return name_of(s.estimate.model); }

constexpr Condition all[] = {
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
    {.table = "heartbeat",
     .key = "",
     .decided_by = "scheduler.feedback",
     .needs = "\"heartbeat\"",
     .holds = [](const Settings& s) { return s.scheduler.feedback == "heartbeat"; },
     .found = [](const Settings& s) { return s.scheduler.feedback; }},
    {.table = "jvm",
     .key = "factor",
     .decided_by = "jvm.model",
     .needs = "\"reuse\"",
     .holds = [](const Settings& s) { return s.jvm.model != JvmModel::none; },
     .found = [](const Settings& s) { return std::string(name_of(s.jvm.model)); }},
    {.table = "run",
     .key = "poll_us",
     .decided_by = "run.poll",
     .needs = "\"auto\" or \"sleep\"",
     .holds = [](const Settings& s) { return s.run.poll != Poll::spin; },
     .found = [](const Settings& s) { return std::string(name_of(s.run.poll)); }},
};

}  // namespace

std::span<const Condition> conditions() { return all; }

const Condition* condition_of(std::string_view table, std::string_view key) {
  for (const Condition& condition : all) {
    if (condition.table == table && condition.key == key) return &condition;
  }
  return nullptr;
}

bool is_read(const Settings& settings, std::string_view table, std::string_view key) {
  const Condition* const whole = condition_of(table, "");
  if (whole != nullptr && !whole->holds(settings)) return false;
  const Condition* const one = condition_of(table, key);
  return one == nullptr || one->holds(settings);
}

}  // namespace somnus
