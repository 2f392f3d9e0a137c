#include "config/help.hpp"

#include <fmt/format.h>

#include "base/wrapped.hpp"
#include "config/choices.hpp"
#include "config/conditions.hpp"
#include "config/tables.hpp"
#include "warmup/warmup.hpp"

namespace somnus {
namespace {

using Names = std::vector<std::string>;

/// The name, then all else beside it.
std::string line(std::string_view name, std::string_view text) {
  constexpr std::size_t column = 28;
  return fmt::format("  {:<{}} {}\n", name, column - 3, wrapped(text, column));
}

std::string needs(std::string_view table, std::string_view key) {
  const Condition* const condition = condition_of(table, key);
  if (condition == nullptr) return {};
  return fmt::format("{} = {}", condition->decided_by, condition->needs);
}

std::string only_with(const std::string& needed) {
  return needed.empty() ? "" : fmt::format("(only with {})", needed);
}

std::string shown_unit(std::string_view unit) {
  return unit == "1" || unit == "id" ? "" : std::string(unit);
}

/// Of a table and of those inside it, each after the one that has it.
void add(std::vector<HelpTable>& tables, HelpTable table, const std::vector<ParameterInfo>& infos) {
  for (const ParameterInfo& info : infos) table.rows.push_back(row_of(table.name, info));
  const std::string name = table.name;
  tables.push_back(std::move(table));
  for (const ParameterInfo& info : infos) {
    if (info.nested.empty()) continue;
    const bool is_list = info.type == ValueType::list;
    std::string own = joined(name, info.name);
    if (info.type == ValueType::free_table) own += ".NAME";
    add(tables,
        {.head = is_list ? fmt::format("[[{}]]", own) : fmt::format("[{}]", own), .name = own},
        info.nested);
  }
}

/// What each choice of an open set means.
std::vector<std::string> meanings_of_models() {
  std::vector<std::string> lines;
  for (const WarmupRow& model : warmup_models()) {
    lines.push_back(fmt::format("{:<10}{}; a slot is warm {}{}", model.name, model.summary,
                                model.looks_at == LooksAt::nothing ? "" : "when ",
                                model.warm_when));
  }
  return lines;
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

void add_scheduler(std::vector<HelpTable>& tables) {
  HelpTable table{
      .head = "[scheduler]", .name = "scheduler", .note = "policy, or order and placement"};
  for (const ParameterInfo& info : infos_of(SchedulerSettings())) {
    table.rows.push_back(row_of(table.name, info));
    table.rows.back().fallback = default_of_scheduler(info.name);
    table.rows.back().choices = choices_of_scheduler(info.name);
  }
  tables.push_back(std::move(table));
  for (const Part& part : parts()) {
    if (part.parameters.empty()) continue;
    const std::string name = joined("scheduler", part.name);
    add(tables,
        {.head = fmt::format("[{}]", name), .name = name, .note = only_with(what_chooses(part))},
        {part.parameters.begin(), part.parameters.end()});
  }
}

}  // namespace

HelpRow row_of(std::string_view table, const ParameterInfo& info) {
  return {.name = info.name,
          .unit = shown_unit(info.unit),
          .fallback = info.required   ? "required"
                      : info.fallback ? text_of(*info.fallback)
                                      : "-",
          .meaning = info.meaning,
          .choices = info.choices,
          .needs = needs(table, info.name),
          .type = info.type,
          .element = info.element,
          .range = info.range};
}

std::vector<HelpTable> settings_tables() {
  std::vector<HelpTable> tables;
  add(tables, {.head = "[cluster]", .name = "cluster", .note = "of like nodes"},
      infos_of(OneGroupKeys()));
  add(tables,
      {.head = "[[cluster.group]]", .name = "cluster.group", .note = "of unlike nodes, instead"},
      infos_of(GroupKeys()));
  add_scheduler(tables);
  add(tables, {.head = "[workload]", .name = "workload", .note = "file, or generator"},
      infos_of(WorkloadSettings()));
  const Settings defaults;
  for_each_plain_table(defaults, [&](const std::string& name, const auto& table) {
    HelpTable help{
        .head = fmt::format("[{}]", name), .name = name, .note = only_with(needs(name, ""))};
    if constexpr (std::is_same_v<decltype(table), const JvmSettings&>) {
      help.remarks = meanings_of_models();
    }
    add(tables, std::move(help), infos_of_plain(table));
  });
  return tables;
}

std::string text_of(const HelpTable& table) {
  std::string text =
      wrapped(fmt::format("{}{}{}", table.head, table.note.empty() ? "" : " ", table.note), 4) +
      "\n";
  for (const HelpRow& row : table.rows) {
    std::string meaning = row.meaning;
    for (std::size_t at = 0; at < row.choices.size(); ++at) {
      meaning += (at == 0 ? ": " : " | ") + in_quotes(row.choices[at]);
    }
    if (!row.needs.empty()) meaning += " " + only_with(row.needs);
    if (!row.unit.empty()) meaning += fmt::format(" [{}]", row.unit);
    if (row.fallback != "-") {
      meaning += (row.fallback == "required" ? "; " : "; default ") + row.fallback;
    }
    text += line(row.name, meaning);
  }
  for (const std::string& remark : table.remarks) {
    text += fmt::format("    {}\n", wrapped(remark, 14));
  }
  return text;
}

}  // namespace somnus
