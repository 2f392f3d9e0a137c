#include <fmt/format.h>

#include "config/choices.hpp"
#include "config/conditions.hpp"
#include "config/config.hpp"
#include "config/tables.hpp"
#include "warmup/warmup.hpp"

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

/// With the parameters of each, if it is a table itself.
std::string rows(std::string_view table, const std::vector<ParameterInfo>& infos) {
  std::string text;
  for (const ParameterInfo& info : infos) {
    const std::string fallback = info.required   ? "required"
                                 : info.fallback ? text_of(*info.fallback)
                                                 : "-";
    text += row(info.name, info.unit, fallback,
                info.meaning + choices_text(info.choices) + needs(table, info.name));
  }
  for (const ParameterInfo& info : infos) {
    if (info.nested.empty()) continue;
    const bool is_list = info.type == ValueType::list;
    std::string own = joined(table, info.name);
    if (info.type == ValueType::free_table) own += ".NAME";
    text += fmt::format("\n{}{}{}\n", is_list ? "[[" : "[", own, is_list ? "]]" : "]") +
            rows(own, info.nested);
  }
  return text;
}

/// What each choice of an open set means.
std::string meanings_of_models() {
  std::string text;
  for (const WarmupRow& model : warmup_models()) {
    text += fmt::format("    {:<10}{}; a slot is warm {}{}\n", model.name, model.summary,
                        model.looks_at == LooksAt::nothing ? "" : "when ", model.warm_when);
  }
  return text;
}

std::string cluster() {
  return "\n[cluster] of like nodes\n" + rows("cluster", infos_of(OneGroupKeys())) +
         "\n[[cluster.group]] of unlike nodes, instead\n" +
         rows("cluster.group", infos_of(GroupKeys()));
}

Names choices_of_scheduler(std::string_view key) {
  Names names;
  if (key == "policy") {  // whole ones are presets, too
    for (const Preset& preset : presets()) names.push_back(preset.name);
    return names;
  }
  for (const Part& part : parts()) {
    if (name_of(part.kind) == key) names.push_back(part.name);
  }
  return names;
}

std::string default_of_scheduler(std::string_view key) {
  for (const auto& [kind, name] : EnumNames<PartKind>::names) {
    const char* const part = default_part(kind);
    if (name == key && part != nullptr) return in_quotes(part);
  }
  return "-";
}

std::string scheduler() {
  std::string text = "\n[scheduler] policy, or order and placement\n";
  for_each_field<SchedulerSettings>([&](const auto& field) {
    text += row(field.name, field.unit, default_of_scheduler(field.name),
                field.meaning + choices_text(choices_of_scheduler(field.name)));
  });
  for (const Part& part : parts()) {
    if (part.parameters.empty()) continue;
    text += fmt::format("\n[scheduler.{}] (only with {})\n", part.name, what_chooses(part));
    text += rows(joined("scheduler", part.name), {part.parameters.begin(), part.parameters.end()});
  }
  return text;
}

}  // namespace

std::string settings_help() {
  std::string text = row("key", "unit", "default", "meaning") + cluster() + scheduler() +
                     "\n[workload] file, or generator\n" +
                     rows("workload", infos_of(WorkloadSettings()));
  const Settings defaults;
  for_each_plain_table(defaults, [&](const char* name, const auto& table) {
    text += fmt::format("\n[{}]{}\n", name, needs(name, "")) + rows(name, infos_of_plain(table));
    if constexpr (std::is_same_v<decltype(table), const JvmSettings&>) text += meanings_of_models();
  });
  return text;
}

}  // namespace somnus
