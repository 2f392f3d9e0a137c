#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/suggest.hpp"
#include "config/tables.hpp"
#include "config/toml_text.hpp"

namespace somnus {
namespace {

constexpr const char* path = "workload";

/// The value as text; empty if it is of no kind that a generator could take.
std::string parameter_text(Reading& reading, const Entry& entry, const std::string& key) {
  const toml::node& node = *entry.node;
  if (!is_bare_key(entry.key->str())) {
    reading.blame(entry.key->source(), key, "expected a name of letters, digits, _ and -");
    return {};
  }
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  if (const auto* text = node.as_string()) return text->get();
  const auto* const number = node.as_floating_point();
  if (number != nullptr && std::isfinite(number->get())) return number_text(number->get());
  reading.blame_value(node, key, "a finite number, a string, true or false");
  return {};
}

/// All keys but the settings' own are parameters: of what, and which it has, others know.
void read_parameters(Reading& reading, const toml::table& table,
                     const std::vector<std::string>& known, WorkloadSettings& settings) {
  for (const Entry& entry : in_written_order(table)) {
    const std::string name(entry.key->str());
    if (std::ranges::find(known, name) != known.end()) continue;
    settings.parameters.emplace_back(name, parameter_text(reading, entry, joined(path, name)));
  }
}

void refuse_parameters(Reading& reading, const toml::table& table,
                       const std::vector<std::string>& known) {
  for (const Entry& entry : in_written_order(table)) {
    const std::string name(entry.key->str());
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string hint = suggest(name, known);
    if (!hint.starts_with("did you mean")) hint += "; a format's parameters need workload.format";
    reading.blame(entry.key->source(), joined(path, name), "unknown key", std::move(hint));
  }
}

}  // namespace

WorkloadSettings read_workload_table(Reading& reading, const toml::table& table) {
  WorkloadSettings settings;
  read_fields(reading, table, path, settings);
  const bool has_file = table.contains("file");
  const bool has_generator = table.contains("generator");
  const std::vector<std::string> known = names_of<WorkloadSettings>();
  if (!has_file && !has_generator && !reading.refuse_unknown(table, path, known)) return settings;
  if (has_file == has_generator) {
    reading.blame(
        table.source(), path,
        fmt::format("expected either file or generator, found {}", has_file ? "both" : "neither"));
    return settings;
  }
  settings.place = reading.place(*table.get(has_file ? "file" : "generator"));
  if (has_file) {
    if (settings.file.empty() && !reading.blamed("workload.file")) {
      reading.blame(table.get("file")->source(), "workload.file", "expected a path, found \"\"");
    }
  } else if (const auto format = table.find("format"); format != table.end()) {
    reading.blame(format->first.source(), "workload.format", "ignored with workload.generator",
                  "it needs workload.file");
  }
  const bool has_format = !settings.format.empty() || reading.blamed("workload.format");
  const bool takes_parameters = has_generator || has_format;
  if (takes_parameters) {
    read_parameters(reading, table, known, settings);
  } else {
    refuse_parameters(reading, table, known);
  }
  return settings;
}

}  // namespace somnus
