#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/suggest.hpp"
#include "base/value.hpp"
#include "config/help.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/parameters_json.hpp"
#include "emulator/commands/result.hpp"
#include "slurm_conf/site.hpp"
#include "text/text_file.hpp"

namespace somnus::command_config {
namespace {

struct ConfigOptions {
  CommonOptions common;
  std::string name;                       // of a table or a key; empty: all
  std::string template_for;               // a label: print a config to begin with instead
  std::optional<std::string> from_slurm;  // a slurm.conf: print its site as a config instead
  std::string partition;                  // of that
};

/// A table by its name, or one key of it: all tables that are meant, with the rows that are.
std::vector<HelpTable> tables_called(const std::string& name) {
  std::vector<HelpTable> tables = settings_tables();
  if (name.empty()) return tables;
  std::vector<HelpTable> meant;
  std::vector<std::string> names;
  for (HelpTable& table : tables) {
    names.push_back(table.name);
    if (table.name == name || table.name.starts_with(name + ".")) {
      meant.push_back(table);
      continue;
    }
    for (const HelpRow& row : table.rows) names.push_back(joined(table.name, row.name));
    std::erase_if(table.rows, [&](const HelpRow& row) {
      return joined(table.name, row.name) != name && row.name != name;
    });
    if (!table.rows.empty()) meant.push_back(std::move(table));
  }
  if (meant.empty()) {
    throw UserError(mistake({.key = name,
                             .what = "no table and no key has this name",
                             .hint = suggest(name, names)})
                        .value());
  }
  return meant;
}

nlohmann::json as_json(const HelpTable& table) {
  auto keys = nlohmann::json::array();
  for (const HelpRow& row : table.rows) {
    nlohmann::json key = {{"name", row.name},
                          {"unit", row.unit},
                          {"default", row.fallback},
                          {"meaning", row.meaning}};
    if (!row.choices.empty()) key["choices"] = row.choices;
    add_type(key, row.type, row.element, row.range);
    if (!row.needs.empty()) key["only_with"] = row.needs;
    keys.push_back(std::move(key));
  }
  return {{"head", table.head}, {"note", table.note}, {"keys", keys}, {"remarks", table.remarks}};
}

/// Warnings say what the config can't; it has them as comments, too.
int config_from_slurm(const ConfigOptions& options) {
  const TextFile file = value_or_throw(TextFile::load(*options.from_slurm));
  const slurm_conf::Site site = value_or_throw(slurm_conf::site_of(file, options.partition));
  for (const slurm_conf::Missing& one : site.missing) {
    const std::string line = one.line == 0 ? "" : fmt::format("{}:", one.line);
    const std::string words = fmt::format("{}:{} {}: {}", file.name(), line, one.setting, one.why);
    spdlog::warn("{}", wrapped(words, 8));
  }
  print_result(
      options.common,
      [&] {
        auto missing = nlohmann::json::array();
        for (const slurm_conf::Missing& one : site.missing) {
          missing.push_back({{"line", one.line}, {"setting", one.setting}, {"why", one.why}});
        }
        return nlohmann::json{
            {"config", site.config}, {"missing", missing}, {"others", site.others}};
      },
      [&] { return site.config; });
  return exit_fine;
}

int config(const ConfigOptions& options) {
  if (options.from_slurm) return config_from_slurm(options);
  if (!options.template_for.empty()) {
    const std::string begin_with = value_or_throw(settings_template(options.template_for));
    print_result(
        options.common, [&] { return nlohmann::json{{"config", begin_with}}; },
        [&] { return begin_with; });
    return exit_fine;
  }
  const std::vector<HelpTable> tables = tables_called(options.name);
  print_result(
      options.common,
      [&] {
        auto all = nlohmann::json::array();
        for (const HelpTable& table : tables) all.push_back(as_json(table));
        return all;
      },
      [&] {
        std::string text;
        for (const HelpTable& table : tables) text += (text.empty() ? "" : "\n") + text_of(table);
        return text;
      });
  return exit_fine;
}

void describe(CLI::App& app, ConfigOptions& options) {
  app.add_option("name", options.name, "just this table or key, e.g. heartbeat, run.speed");
  app.add_option("--template", options.template_for,
                 "a commented config for this scheduler, named as for simulate --policy")
      ->type_name("POLICY")
      ->excludes("name");
  CLI::Option* const from_slurm =
      app.add_option("--from-slurm", options.from_slurm,
                     "a config of that site's nodes and scheduler; what it can't say is listed")
          ->type_name("SLURM.CONF")
          ->excludes("name", "--template");
  app.add_option("--partition", options.partition, "whose nodes, where there are several")
      ->type_name("NAME")
      ->needs(from_slurm);
  add_output(app, options.common);
  app.footer(
      "  somnus config --template cfq > cfq.toml\n"
      "  somnus config heartbeat\n"
      "  somnus config --from-slurm slurm.conf --partition batch > site.toml");
}

const Registered<Command> row =
    command("config", CommandGroup::reference,
            "every key of a config with unit, default and meaning, or a config to begin with",
            describe, config);

}  // namespace
}  // namespace somnus::command_config
