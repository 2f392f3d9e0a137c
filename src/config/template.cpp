#include <fmt/format.h>

#include <algorithm>

#include "config/conditions.hpp"
#include "config/config.hpp"
#include "config/help.hpp"
#include "config/tables.hpp"
#include "generators/generators.hpp"

namespace somnus {
namespace {

constexpr std::string_view to_begin_with = "[cluster]\n[scheduler]\n[workload]\n";

/// What else a config has to say.
std::vector<Override> some_cluster_and_workload() {
  return {{"cluster.nodes", "100"},
          {"cluster.slots_per_node", "8"},
          text_override("workload.generator", "google")};
}

/// Which table of the template a part's parameters stand in, and their values.
Table values_of(const Settings& settings, const std::string& name) {
  if (name == "cluster") {
    const NodeGroup& nodes = settings.cluster.groups.front();
    return to_value(OneGroupKeys{.nodes = nodes.count, .slots_per_node = nodes.slots});
  }
  const Table scheduler = table_of(settings.scheduler);
  if (name.starts_with("scheduler.")) {
    const auto found = scheduler.find(name.substr(name.find('.') + 1));
    const Table* const own = found == scheduler.end() ? nullptr : found->second.table();
    return own == nullptr ? Table() : *own;
  }
  if (name == "scheduler") return to_value(settings.scheduler);
  Table values;
  if (name == "workload") {
    values = to_value(settings.workload);
    for (const auto& [key, value] : settings.workload.parameters) values[key] = value;
    return values;
  }
  for_each_plain_table(settings, [&](const std::string& plain, const auto& table) {
    if (plain == name) values = table_of(table);
  });
  return values;
}

/// Of the workload those of its generator, too, which may have some of the names.
std::vector<HelpRow> rows_of(const HelpTable& help, const Settings& settings) {
  std::vector<HelpRow> rows = help.rows;
  if (help.name != "workload") return rows;
  const Generator* const generator = find_generator(settings.workload.generator);
  if (generator == nullptr) return rows;
  for (const ParameterInfo& info : generator->parameters) {
    std::erase_if(rows, [&](const HelpRow& row) { return row.name == info.name; });
    rows.push_back(row_of(help.name, info));
  }
  return rows;
}

class Template {
 public:
  /// `set`: what made the settings; all other keys are commented out.
  Template(const Settings& settings, const std::vector<Override>& set)
      : settings_(settings), set_(set) {}

  void table(const HelpTable& help) {
    const Table values = values_of(settings_, help.name);
    const bool of_part = help.name.starts_with("scheduler.");
    const bool read = is_read(settings_, help.name, "");
    const bool of_list = help.head.starts_with("[[");
    if (!read || of_list || (of_part && values.empty())) return;
    text_ += fmt::format("\n{}\n", help.head);
    for (const HelpRow& row : rows_of(help, settings_)) {
      if (!is_read(settings_, help.name, row.name)) continue;
      const std::string path = joined(help.name, row.name);
      const bool set =
          std::ranges::any_of(set_, [&](const Override& one) { return one.key == path; });
      const auto found = values.find(row.name);
      const bool says_nothing = found == values.end() || found->second == Value("");
      if (says_nothing && help.name == "scheduler") continue;  // of parts that it does not have
      key(row, says_nothing ? "..." : text_of(found->second), set);
    }
  }
  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  void key(const HelpRow& row, const std::string& value, bool set) {
    const std::string left = fmt::format("{}{} = {}", set ? "" : "# ", key_text(row.name), value);
    std::string meaning = row.meaning;
    if (!row.unit.empty()) meaning = fmt::format("[{}] {}", row.unit, meaning);
    text_ += fmt::format("{:<34} # {}\n", left, meaning);
    for (std::size_t at = 0; at < row.choices.size();) {
      std::string some = at == 0 ? "one of " : "";
      for (; at < row.choices.size() && some.size() < most_wide; ++at) {
        some += in_quotes(row.choices[at]) + (at + 1 < row.choices.size() ? ", " : "");
      }
      if (some.ends_with(' ')) some.pop_back();
      text_ += fmt::format("{:<34} #   {}\n", "", some);
    }
  }

  static constexpr std::size_t most_wide = 60;
  const Settings& settings_;
  const std::vector<Override>& set_;
  std::string text_;
};

}  // namespace

Checked<std::string> settings_template(std::string_view label) {
  auto chosen = overrides_of_label(label);
  if (!chosen) return tl::unexpected(std::move(chosen.error()));
  std::vector<Override> set = some_cluster_and_workload();
  set.insert(set.end(), chosen->begin(), chosen->end());
  const auto settings = parse_settings(to_begin_with, "", set);
  if (!settings) return tl::unexpected(settings.error());
  Template made(*settings, set);
  for (const HelpTable& help : settings_tables()) made.table(help);
  return fmt::format(
      "# {}\n"
      "# Every key that this scheduler reads. Those behind a # have the value shown: take the # "
      "away\n"
      "# to change it. What each means stands behind it, with its unit in [].\n{}",
      label, std::move(made).take());
}

}  // namespace somnus
