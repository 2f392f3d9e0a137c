#include <fmt/format.h>

#include <algorithm>

#include "base/suggest.hpp"
#include "config/tables.hpp"
#include "formats/formats.hpp"
#include "generators/generators.hpp"

namespace somnus {
namespace {

constexpr const char* workload_root = "workload";

/// The schema of what has that name, among `all`; nullptr and blamed if nothing has.
template <class All>
const ParameterSchema* schema_of(ValueReader& reader, const All& all, const char* key,
                                 const char* what, const std::string& name) {
  const std::string own = joined(workload_root, key);
  if (reader.blamed(own)) return nullptr;
  std::vector<std::string> names;
  for (const auto& each : all) {
    if (each.name == name) return &each.parameters;
    names.emplace_back(each.name);
  }
  reader.add_error({.path = own,
                    .what = fmt::format("expected a workload {}, found '{}'", what, name),
                    .hint = suggest(name, names)});
  return nullptr;
}

/// All keys but the settings' own are parameters, and those of the same name, too. A format that is
/// detected from the file's name has its defaults.
void read_parameters(ValueReader& reader, const Table& table, const ParameterSchema& schema,
                     WorkloadSettings& settings) {
  std::vector<std::string> known = names_of<WorkloadSettings>();
  const std::vector<std::string> names = schema.names();
  known.insert(known.end(), names.begin(), names.end());
  reader.refuse_unknown(table, workload_root, known);
  settings.parameters = schema.read(reader, table, workload_root);
  Table others;
  for (const auto& [name, value] : table) {
    if (std::ranges::find(names, name) == names.end()) others[name] = value;
  }
  read_fields<WorkloadShape>(reader, others, workload_root, settings);
}

/// Of a format that is not named.
void refuse_parameters(ValueReader& reader, const Table& table) {
  const std::vector<std::string> known = names_of<WorkloadSettings>();
  for (const auto& [name, value] : table) {
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string hint = suggest(name, known);
    if (!hint.starts_with("did you mean")) hint += "; a format's parameters need workload.format";
    reader.add_error({.path = joined(workload_root, name),
                      .what = "unknown key",
                      .hint = std::move(hint),
                      .at = ValueError::At::key});
  }
}

void read_file(ValueReader& reader, const Table& table, WorkloadSettings& settings) {
  if (settings.file.empty() && !reader.blamed("workload.file")) {
    reader.add_error({.path = "workload.file", .what = "expected a path, found \"\""});
  }
  if (reader.blamed("workload.format")) return;  // so that what else there is, is not known
  if (settings.format.empty()) {
    refuse_parameters(reader, table);
    read_fields<WorkloadShape>(reader, table, workload_root, settings);
    return;
  }
  if (const auto* schema = schema_of(reader, formats(), "format", "format", settings.format)) {
    read_parameters(reader, table, *schema, settings);
  }
}

void read_generator(ValueReader& reader, const Table& table, WorkloadSettings& settings) {
  if (table.contains("format")) {
    reader.add_error({.path = "workload.format",
                      .what = "ignored with workload.generator",
                      .hint = "it needs workload.file",
                      .at = ValueError::At::key});
  }
  const auto* schema =
      schema_of(reader, generators(), "generator", "generator", settings.generator);
  if (schema != nullptr) read_parameters(reader, table, *schema, settings);
}

}  // namespace

WorkloadSettings read_workload_table(ValueReader& reader, const Table& table) {
  WorkloadSettings settings;
  read_fields<WorkloadOrigin>(reader, table, workload_root, settings);
  const bool has_file = table.contains("file");
  const bool has_generator = table.contains("generator");
  if (!has_file && !has_generator &&
      !reader.refuse_unknown(table, workload_root, names_of<WorkloadSettings>())) {
    return settings;
  }
  if (has_file == has_generator) {
    reader.add_error({.path = workload_root,
                      .what = fmt::format("expected either file or generator, found {}",
                                          has_file ? "both" : "neither")});
  } else if (has_file) {
    read_file(reader, table, settings);
  } else {
    read_generator(reader, table, settings);
  }
  return settings;
}

}  // namespace somnus
