#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "config/conditions.hpp"
#include "config/config.hpp"
#include "config/reading.hpp"
#include "config/tables.hpp"
#include "config/toml_text.hpp"

namespace somnus {
namespace {

using Names = std::vector<std::string>;

std::string row(std::string_view name, std::string_view unit, std::string_view fallback,
                std::string_view meaning) {
  const std::string_view shown = unit == "1" || unit == "id" ? "" : unit;
  return fmt::format("  {:<26}{:<7}{:<16} {}\n", name, shown, fallback, meaning);
}

std::string choices_text(const Names& choices) {
  std::string text;
  for (const std::string& choice : choices) {
    text += (text.empty() ? ": " : " | ") + in_quotes(choice);
  }
  return text;
}

std::string needs(std::string_view table, std::string_view key) {
  const Condition* const condition = condition_of(table, key);
  if (condition == nullptr) return {};
  return fmt::format(" (only with {} = {})", condition->decided_by, condition->needs);
}

template <Described S>
std::string rows(std::string_view table, std::initializer_list<std::string_view> required = {}) {
  const S defaults;
  std::string text;
  for_each_field<S>([&](const auto& field) {
    using T = typename std::remove_cvref_t<decltype(field)>::member_type;
    const bool has_to_be = std::ranges::find(required, field.name) != required.end();
    std::string meaning = field.meaning;
    if constexpr (NamedEnum<T>) meaning += choices_text(choices_of<T>());
    text += row(field.name, field.unit, has_to_be ? "required" : value_text(defaults.*field.member),
                meaning + needs(table, field.name));
  });
  return text;
}

template <Described S>
std::string plain(std::string_view table) {
  return fmt::format("\n[{}]{}\n", table, needs(table, "")) + rows<S>(table);
}

std::string cluster() {
  const std::string resources =
      row("resources", "", "{}",
          fmt::format("of one node, in your units, e.g. {{ cpu = 20, mem_gb = 128 }}; at most {} "
                      "kinds",
                      Resources::most_kinds));
  return "\n[cluster] of like nodes\n" + rows<OneGroupKeys>("cluster", {"nodes"}) + resources +
         "\n[[cluster.group]] of unlike nodes, instead\n" +
         rows<GroupKeys>("cluster.group", {"count"}) + resources;
}

Names choices_of_scheduler(std::string_view key) {
  Names names;
  for (const Part& part : parts()) {
    if (name_of(part.kind) == key) names.push_back(part.name);
  }
  if (!names.empty()) return names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

std::string scheduler() {
  std::string text = "\n[scheduler] policy, or order and placement\n";
  for_each_field<SchedulerSettings>([&](const auto& field) {
    const std::string_view name = field.name;
    const std::string_view fallback = name == "feedback"      ? "\"at-once\""
                                      : name == "queue"       ? "\"none\""
                                      : name == "partitioner" ? "\"by-size\""
                                                              : "-";
    text +=
        row(name, field.unit, fallback, field.meaning + choices_text(choices_of_scheduler(name)));
  });
  for (const Part& part : parts()) {
    if (part.parameters.empty()) continue;
    text += fmt::format("\n[scheduler.{}] (only with scheduler.{} = {})\n", part.name,
                        name_of(part.kind), in_quotes(part.name));
    for (const ParameterInfo& info : part.parameters) {
      text += row(info.name, info.unit, info.fallback ? text_of(*info.fallback) : "-",
                  info.meaning + choices_text(info.choices));
    }
  }
  return text;
}

}  // namespace

std::string settings_help() {
  return row("key", "unit", "default", "meaning") + cluster() + scheduler() +
         plain<QueueRules>("queue") + plain<JobManagerRules>("job_manager") +
         plain<EstimateSettings>("estimate") + plain<HeartbeatSettings>("heartbeat") +
         plain<NetworkSettings>("network") + plain<JvmSettings>("jvm") +
         plain<FaultSettings>("faults") + "\n[[faults.event]]\n" +
         rows<FaultEvent>("faults.event", {"at_s", "node"}) + "\n[workload] file, or generator\n" +
         rows<WorkloadSettings>("workload") + plain<RunSettings>("run") + plain<LogSettings>("log");
}

}  // namespace somnus
