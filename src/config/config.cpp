#include "config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include "base/given_parameters.hpp"
#include "config/conditions.hpp"
#include "config/document.hpp"
#include "config/tables.hpp"
#include "plugins/plugins.hpp"
#include "text/contents.hpp"

namespace somnus {
namespace {

const Table* table_at(ValueReader& reader, const Table& document, const char* name) {
  const auto found = document.find(name);
  return found == document.end() ? nullptr : reader.table(found->second, name);
}

/// Blamed if absent.
const Table* required(ValueReader& reader, const Table& document, const char* name,
                      const char* says) {
  if (!document.contains(name)) {
    reader.add_error(
        {.path = name, .what = fmt::format("expected a table [{}] that says {}", name, says)});
  }
  return table_at(reader, document, name);
}

void refuse_ignored(ValueReader& reader, const Table& document, const Settings& settings) {
  for (const Condition& condition : conditions()) {
    const auto at = document.find(condition.table);
    const Table* const table = at == document.end() ? nullptr : at->second.table();
    if (table == nullptr || condition.holds(settings)) continue;
    const Condition* const whole = condition_of(condition.table, "");
    if (whole != nullptr && whole != &condition && !whole->holds(settings)) continue;
    const std::string found = condition.found(settings);
    if (found.empty() || reader.blamed(condition.decided_by)) continue;
    const bool of_table = condition.key.empty();
    if (!of_table && !table->contains(condition.key)) continue;
    reader.add_error(
        {.path = of_table ? std::string(condition.table) : joined(condition.table, condition.key),
         .what = fmt::format("ignored with {} = {}", condition.decided_by, found),
         .hint = fmt::format("it needs {} = {}", condition.decided_by, condition.needs),
         .at = of_table ? ValueError::At::value : ValueError::At::key,
         .ignored = true});
  }
}

/// Before anything else is read: the scheduler may be made of their parts.
void load_plugins(ValueReader& reader, const Table& document, const std::string& origin) {
  PluginSettings given;
  const auto at = document.find("plugins");
  if (at == document.end() || at->second.table() == nullptr) return;
  ValueReader later;  // what is wrong with the values is said with those of the other tables
  read_fields(later, *at->second.table(), "plugins", given);
  for (std::size_t number = 0; number < given.load.size(); ++number) {
    const std::string required = number < given.versions.size() ? given.versions[number] : "";
    if (loaded_plugin(required) != nullptr) continue;
    const auto file = std::filesystem::path(origin).parent_path() / given.load[number];
    const auto plugin = load_plugin(file, required);
    if (plugin) continue;
    reader.add_error({.path = fmt::format("plugins.load[{}]", number),
                      .what = fmt::format("{} {}", given.load[number], plugin.error()),
                      .hint = "--plugin FILE or SOMNUS_PLUGINS loads one from elsewhere"});
  }
}

/// Those that the scheduler has parts of.
PluginSettings plugins_of(const SchedulerSettings& scheduler) {
  std::set<const Plugin*> used;
  const auto use = [&](PartKind kind, const std::string& name) {
    if (const Part* const part = find_part(kind, name)) used.insert(plugin_of(*part));
  };
  use(PartKind::policy, scheduler.whole);
  use(PartKind::order, scheduler.order);
  use(PartKind::within, scheduler.within);
  use(PartKind::backfill, scheduler.backfill);
  use(PartKind::preemption, scheduler.preemption);
  use(PartKind::placement, scheduler.placement);
  use(PartKind::feedback, scheduler.feedback);
  use(PartKind::queue, scheduler.queue);
  use(PartKind::partitioner, scheduler.partitioner);
  if (const Preset* const preset = find_preset(scheduler.policy)) used.insert(plugin_of(*preset));
  PluginSettings plugins;
  for (const Plugin* plugin : loaded_plugins()) {
    if (!used.contains(plugin)) continue;
    plugins.load.push_back(plugin->file.string());
    plugins.versions.push_back(plugin->text());
  }
  return plugins;
}

Settings read_settings(ValueReader& reader, const Table& document, std::string origin) {
  Settings settings;
  load_plugins(reader, document, origin);
  settings.origin = std::move(origin);
  std::vector<std::string> table_names = {"cluster", "scheduler", "workload"};
  for_each_plain_table(settings, [&](const char* name, auto&) { table_names.emplace_back(name); });
  reader.refuse_unknown(document, "", table_names);
  if (const auto* table = required(reader, document, "cluster", "which nodes there are")) {
    settings.cluster = read_cluster(reader, *table);
  }
  const bool nodes_known = !reader.any();
  if (const auto* table = required(reader, document, "scheduler", "which policy decides")) {
    settings.scheduler =
        read_scheduler(reader, *table, std::filesystem::path(settings.origin).parent_path());
  }
  if (const auto* table = required(reader, document, "workload", "which jobs come")) {
    settings.workload = read_workload_table(reader, *table);
  }
  if (const Preset* const preset = find_preset(settings.scheduler.policy)) {
    settings.queue = preset->queue_rules;
    settings.job_manager = preset->job_manager;
  }
  for_each_plain_table(settings, [&](const char* name, auto& into) {
    const auto found = document.find(name);
    if (found != document.end()) read_plain(reader, found->second, name, into);
  });
  settings.plugins = plugins_of(settings.scheduler);
  check_faults(reader, settings.faults, nodes_known ? settings.cluster.node_count() : 0);
  check_speculation(reader, settings.speculation);
  refuse_ignored(reader, document, settings);
  check_composition(reader, document, settings);
  return settings;
}

/// It is of the scheduler that the config's file chooses, in whose place another was asked for.
bool is_of_another_scheduler(const ValueError& error, const Document& document,
                             std::span<const Override> overrides) {
  if (!error.ignored || document.location(error.path).file != document.origin()) return false;
  const bool is_set = std::ranges::any_of(overrides, [&](const Override& one) {
    return !one.of_policy && (one.key == error.path || one.key.starts_with(error.path + "."));
  });
  if (is_set) return false;
  const std::size_t dot = error.path.find('.');
  const std::string_view table = std::string_view(error.path).substr(0, dot);
  if (table == "scheduler") return true;
  const std::string_view key =
      dot == std::string::npos ? std::string_view() : std::string_view(error.path).substr(dot + 1);
  const Condition* const condition = condition_of(table, key);
  return condition != nullptr && condition->decided_by.starts_with("scheduler.");
}

}  // namespace

Checked<Override> parse_override(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return mistake({.location = {.file = fmt::format("--set {}", text)},
                    .what = "expected table.key=value, e.g. run.speed=2000"});
  }
  return Override{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Override text_override(std::string key, std::string_view text) {
  return {std::move(key), in_quotes(text)};
}

Checked<Settings> parse_settings(std::string_view toml, std::string origin,
                                 std::span<const Override> overrides,
                                 std::vector<std::string>* unread) {
  const auto document = parse_document(toml, origin, overrides);
  if (!document) return tl::unexpected(document.error());
  ValueReader reader;
  Settings settings = read_settings(reader, document->values(), std::move(origin));
  if (std::ranges::any_of(overrides, &Override::of_policy)) {
    reader.forget_errors([&](const ValueError& error) {
      return is_of_another_scheduler(error, *document, overrides);
    });
  }
  if (unread == nullptr ? reader.any() : reader.any_wrong()) {
    return tl::unexpected(document->mistakes(reader));
  }
  for (const ValueError& error : reader.errors()) unread->push_back(error.path);
  settings.workload.location = document->location(
      settings.workload.generator.empty() ? "workload.file" : "workload.generator");
  return settings;
}

Checked<Parameters> read_parameters(const ParameterSchema& schema, std::string_view owner,
                                    std::span<const Override> given) {
  const auto document = parse_document("", "", given);
  if (!document) return tl::unexpected(document.error());
  ValueReader reader;
  Parameters parameters = read_given(reader, schema, document->values(), owner);
  if (reader.any()) return tl::unexpected(document->mistakes(reader));
  return parameters;
}

Checked<std::string> read_toml(const std::filesystem::path& file) {
  const auto refuse = [&](std::string what) {
    return mistake({.location = {.file = file.string()}, .what = std::move(what)});
  };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return refuse(overrides_of_label(file.string())
                      ? "no such file; it names a policy, and several are one word: --policy A,B"
                      : "no such file");
  }
  if (status.type() == std::filesystem::file_type::directory) {
    return refuse("a directory, expected a TOML file");
  }
  std::optional<std::string> text = contents_of(file);
  if (text) return *std::move(text);
  return refuse(fmt::format("cannot be read: {}", std::generic_category().message(errno)));
}

Checked<Settings> load_settings(const std::filesystem::path& file,
                                std::span<const Override> overrides,
                                std::vector<std::string>* unread) {
  const auto text = read_toml(file);
  if (!text) return tl::unexpected(text.error());
  return parse_settings(*text, file.string(), overrides, unread);
}

std::filesystem::path workload_path(const Settings& settings) {
  // operator/ keeps an absolute right side.
  return std::filesystem::path(settings.origin).parent_path() / settings.workload.file;
}

}  // namespace somnus
