#include "config/config.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "config/conditions.hpp"
#include "config/document.hpp"
#include "config/reading.hpp"
#include "config/tables.hpp"
#include "config/toml_text.hpp"

namespace somnus {
namespace {

const std::vector<std::string> table_names = {"cluster",  "scheduler", "queue",   "job_manager",
                                              "estimate", "heartbeat", "network", "jvm",
                                              "faults",   "workload",  "run",     "log"};

const toml::table* table_at(Reading& reading, const toml::table& document, const char* name) {
  const toml::node* const node = document.get(name);
  return node == nullptr ? nullptr : reading.table(*node, name);
}

/// Blamed if absent.
const toml::table* required(Reading& reading, const toml::table& document, const char* name,
                            const char* says) {
  if (!document.contains(name)) {
    reading.blame_missing(name, fmt::format("expected a table [{}] that says {}", name, says));
  }
  return table_at(reading, document, name);
}

template <Described S>
void read_plain(Reading& reading, const toml::table& document, const char* name, S& into) {
  const toml::table* const table = table_at(reading, document, name);
  if (table == nullptr) return;
  reading.refuse_unknown(*table, name, names_of<S>());
  read_fields(reading, *table, name, into);
}

/// nodes: how many there are; 0: that is not known.
FaultEvent read_event(Reading& reading, const toml::table& table, const std::string& key,
                      std::uint32_t nodes) {
  FaultEvent event;
  const bool all_known = reading.refuse_unknown(table, key, names_of<FaultEvent>());
  read_fields(reading, table, key, event);
  for (const char* const required : {"at_s", "node"}) {
    if (!all_known || table.contains(required)) continue;
    reading.blame(table.source(), key, fmt::format("expected {}, found none", required));
  }
  if (const toml::node* const node = table.get("node"); node != nullptr && nodes > 0) {
    const std::string node_key = joined(key, "node");
    if (event.node >= nodes && !reading.blamed(node_key)) {
      reading.blame(node->source(), node_key,
                    fmt::format("expected a node from 0 to {}, found {}", nodes - 1, event.node));
    }
  }
  return event;
}

void read_faults(Reading& reading, const toml::table& document, std::uint32_t nodes,
                 FaultSettings& into) {
  const toml::table* const table = table_at(reading, document, "faults");
  if (table == nullptr) return;
  std::vector<std::string> known = names_of<FaultSettings>();
  known.emplace_back("event");
  reading.refuse_unknown(*table, "faults", known);
  read_fields(reading, *table, "faults", into);
  const toml::node* const list = table->get("event");
  if (list == nullptr) return;
  for (const toml::table* const one : reading.tables(*list, "faults.event")) {
    const std::string key = fmt::format("faults.event[{}]", into.events.size());
    into.events.push_back(read_event(reading, *one, key, nodes));
  }
}

void refuse_ignored(Reading& reading, const toml::table& document, const Settings& settings) {
  for (const Condition& condition : conditions()) {
    const toml::table* const table = document[condition.table].as_table();
    if (table == nullptr || condition.holds(settings)) continue;
    const Condition* const whole = condition_of(condition.table, "");
    if (whole != nullptr && whole != &condition && !whole->holds(settings)) continue;
    const std::string found = condition.found(settings);
    if (found.empty() || reading.blamed(condition.decided_by)) continue;
    const std::string what = fmt::format("ignored with {} = \"{}\"", condition.decided_by, found);
    const std::string hint = fmt::format("it needs {} = {}", condition.decided_by, condition.needs);
    if (condition.key.empty()) {
      reading.blame(table->source(), std::string(condition.table), what, hint);
    } else if (const auto entry = table->find(condition.key); entry != table->end()) {
      reading.blame(entry->first.source(), joined(condition.table, condition.key), what, hint);
    }
  }
}

Settings read_settings(Reading& reading, const toml::table& document, std::string origin) {
  Settings settings;
  settings.origin = std::move(origin);
  if (const auto* table = required(reading, document, "cluster", "which nodes there are")) {
    settings.cluster = read_cluster(reading, *table);
  }
  const std::uint32_t nodes = reading.any() ? 0 : settings.cluster.node_count();
  reading.refuse_unknown(document, "", table_names);
  if (const auto* table = required(reading, document, "scheduler", "which policy decides")) {
    settings.scheduler = read_scheduler(reading, *table);
  }
  if (const auto* table = required(reading, document, "workload", "which jobs come")) {
    settings.workload = read_workload_table(reading, *table);
  }
  if (const Preset* const preset = find_preset(settings.scheduler.policy)) {
    settings.queue = preset->queue_rules;
    settings.job_manager = preset->job_manager;
  }
  read_plain(reading, document, "queue", settings.queue);
  read_plain(reading, document, "job_manager", settings.job_manager);
  read_plain(reading, document, "estimate", settings.estimate);
  read_plain(reading, document, "heartbeat", settings.heartbeat);
  read_plain(reading, document, "network", settings.network);
  read_plain(reading, document, "jvm", settings.jvm);
  read_faults(reading, document, nodes, settings.faults);
  read_plain(reading, document, "run", settings.run);
  read_plain(reading, document, "log", settings.log);
  refuse_ignored(reading, document, settings);
  check_composition(reading, document, settings);
  return settings;
}

}  // namespace

Checked<Override> parse_override(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return mistake({.place = {.file = fmt::format("--set {}", text)},
                    .what = "expected table.key=value, e.g. run.speed=2000"});
  }
  return Override{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Override text_override(std::string key, std::string_view text) {
  return {std::move(key), in_quotes(text)};
}

Checked<Settings> parse_settings(std::string_view toml, std::string origin,
                                 std::span<const Override> overrides) {
  const auto document = parse_document(toml, origin, overrides);
  if (!document) return tl::unexpected(document.error());
  Reading reading(origin);
  Settings settings = read_settings(reading, *document, std::move(origin));
  if (reading.any()) return tl::unexpected(reading.mistakes());
  return settings;
}

Checked<Settings> load_settings(const std::filesystem::path& file,
                                std::span<const Override> overrides) {
  const auto refuse = [&](std::string what) {
    return mistake({.place = {.file = file.string()}, .what = std::move(what)});
  };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) return refuse("no such file");
  if (status.type() == std::filesystem::file_type::directory) {
    return refuse("a directory, expected a TOML file");
  }
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in.is_open() || in.bad()) {
    return refuse(fmt::format("cannot be read: {}", std::generic_category().message(errno)));
  }
  return parse_settings(text, file.string(), overrides);
}

std::filesystem::path workload_path(const Settings& settings) {
  // operator/ keeps an absolute right side.
  return std::filesystem::path(settings.origin).parent_path() / settings.workload.file;
}

}  // namespace somnus
