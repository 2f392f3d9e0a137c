#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/suggest.hpp"
#include "config/document.hpp"
#include "config/tables.hpp"
#include "config/toml_text.hpp"

namespace somnus {
namespace {

constexpr const char* path = "scheduler";

std::vector<std::string> names_of_parts(PartKind kind) {
  std::vector<std::string> names;
  for (const Part& part : parts()) {
    if (part.kind == kind) names.push_back(part.name);
  }
  return names;
}

std::vector<std::string> names_of_presets() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

/// One of the parts as the table chooses it, from its own key, the preset or the default.
struct Choice {
  PartKind kind;
  std::string SchedulerSettings::*chosen;
  std::string Preset::*of_preset;
  std::string without_preset;                 // empty: has to be given
  Parameters SchedulerSettings::*parameters;  // nullptr: parts of this kind have none
};

const std::array<Choice, 5> choices = {
    {{PartKind::order, &SchedulerSettings::order, &Preset::order, "",
      &SchedulerSettings::order_parameters},
     {PartKind::placement, &SchedulerSettings::placement, &Preset::placement, "",
      &SchedulerSettings::placement_parameters},
     {PartKind::feedback, &SchedulerSettings::feedback, &Preset::feedback, "at-once", nullptr},
     {PartKind::queue, &SchedulerSettings::queue, &Preset::queue, "none", nullptr},
     {PartKind::partitioner, &SchedulerSettings::partitioner, &Preset::partitioner, "by-size",
      &SchedulerSettings::partitioner_parameters}}};

const Preset* read_preset(Reading& reading, const toml::table& table) {
  const toml::node* const node = table.get("policy");
  if (node == nullptr) return nullptr;
  const auto name = reading.text(*node, "scheduler.policy");
  if (!name) return nullptr;
  const Preset* const preset = find_preset(*name);
  if (preset == nullptr) {
    reading.blame(node->source(), "scheduler.policy", fmt::format("unknown policy '{}'", *name),
                  suggest(*name, names_of_presets()));
  }
  return preset;
}

/// Empty if the part is not known.
std::string read_part(Reading& reading, const toml::table& table, const Choice& choice,
                      const Preset* preset) {
  const char* const kind = name_of(choice.kind);
  const std::string key = joined(path, kind);
  const toml::node* const node = table.get(kind);
  if (node == nullptr) {
    if (preset != nullptr) return preset->*choice.of_preset;
    if (table.contains("policy")) return {};  // which is a mistake already
    const bool composed = table.contains("order") || table.contains("placement");
    if (composed && choice.without_preset.empty()) {
      reading.blame(table.source(), key, "expected one, as there is no policy",
                    suggest("", names_of_parts(choice.kind)));
    }
    return choice.without_preset;
  }
  const auto name = reading.text(*node, key);
  if (!name) return {};
  if (find_part(choice.kind, *name) != nullptr) return *name;
  reading.blame(node->source(), key, fmt::format("unknown {} '{}'", kind, *name),
                suggest(*name, names_of_parts(choice.kind)));
  return {};
}

/// The node whose path that is, below the node at `path`.
const toml::node* node_at(const toml::node& node, const std::string& here,
                          const std::string& wanted) {
  if (here == wanted) return &node;
  const toml::node* found = nullptr;
  if (const toml::table* const table = node.as_table()) {
    for (auto&& [key, each] : *table) {
      if (found == nullptr) found = node_at(each, joined(here, key.str()), wanted);
    }
  }
  if (const toml::array* const list = node.as_array()) {
    for (std::size_t index = 0; index < list->size() && found == nullptr; ++index) {
      found = node_at(*list->get(index), fmt::format("{}[{}]", here, index), wanted);
    }
  }
  return found;
}

/// All of the part's parameters; `table` is [scheduler.NAME], if it is there.
Parameters read_parameters(Reading& reading, const toml::table* table, const Part& part) {
  const std::string own = joined(path, part.name);
  const Value given = table == nullptr ? Value(Table()) : values_in(*table);
  ValueReader reader;
  Parameters parameters = part.parameters.read(reader, *given.table(), own);
  for (const Fault& fault : reader.faults()) {
    const toml::node* const node = node_at(*table, own, fault.path);
    reading.blame((node == nullptr ? *table : *node).source(), fault.path, fault.what, fault.hint);
  }
  return parameters;
}

class ParameterTables {
 public:
  ParameterTables(Reading& reading, const toml::table& table, SchedulerSettings& settings)
      : reading_(reading), table_(table), settings_(settings) {}

  void read() {
    for (const Choice& choice : choices) {
      if (choice.parameters != nullptr) {
        take(choice.kind, settings_.*choice.chosen, settings_.*choice.parameters);
      }
    }
    for (const Entry& entry : in_written_order(table_)) {
      const std::string name(entry.key->str());
      if (std::ranges::find(keys_, name) != keys_.end()) continue;
      if (chosen_.contains(name)) {
        if (const toml::table* const own = subtable(name)) refuse_unknown_parameters(*own, name);
      } else if (!unchosen(entry, name)) {
        std::vector<std::string> known = keys_;
        known.insert(known.end(), chosen_.begin(), chosen_.end());
        const bool is_table = entry.node->is_table();
        reading_.blame(entry.key->source(), joined(path, name),
                       is_table ? "unknown table" : "unknown key", suggest(name, known));
      }
    }
  }

 private:
  const toml::table* subtable(const std::string& name) {
    const toml::node* const node = table_.get(name);
    return node == nullptr ? nullptr : node->as_table();
  }

  void take(PartKind kind, const std::string& name, Parameters& into) {
    const Part* const part = find_part(kind, name);
    if (part == nullptr) return;
    chosen_.insert(name);
    if (const toml::node* const node = table_.get(name); node != nullptr && !node->is_table()) {
      const std::string key = joined(path, name);
      if (!reading_.blamed(key)) (void)reading_.table(*node, key);
    }
    into = read_parameters(reading_, subtable(name), *part);
  }

  void refuse_unknown_parameters(const toml::table& own, const std::string& name) {
    std::vector<std::string> known;
    for (const Choice& choice : choices) {
      const bool is_chosen = choice.parameters != nullptr && settings_.*choice.chosen == name;
      if (!is_chosen) continue;
      for (const ParameterInfo& info : find_part(choice.kind, name)->parameters) {
        known.push_back(info.name);
      }
    }
    if (!known.empty() || own.empty()) {
      reading_.refuse_unknown(own, joined(path, name), known);
    } else {
      reading_.blame(own.source(), joined(path, name), fmt::format("'{}' has no parameters", name));
    }
  }

  /// Parameters of a part that exists, but that this scheduler is not made of.
  bool unchosen(const Entry& entry, const std::string& name) {
    for (const Choice& choice : choices) {
      const Part* const part = find_part(choice.kind, name);
      if (part == nullptr) continue;
      const std::string key = joined(path, name);
      const toml::source_region& where = entry.key->source();
      const std::string& chosen = settings_.*choice.chosen;
      const char* const kind = name_of(choice.kind);
      if (part->parameters.empty()) {
        reading_.blame(where, key, fmt::format("'{}' has no parameters", name));
      } else if (!chosen.empty()) {  // else what was chosen is a mistake already
        reading_.blame(where, key,
                       fmt::format("ignored with {}.{} = {}", path, kind, in_quotes(chosen)),
                       fmt::format("it needs {}.{} = {}", path, kind, in_quotes(name)));
      }
      return true;
    }
    return false;
  }

  Reading& reading_;
  const toml::table& table_;
  SchedulerSettings& settings_;
  std::vector<std::string> keys_ = names_of<SchedulerSettings>();
  std::set<std::string> chosen_;
};

}  // namespace

SchedulerSettings read_scheduler(Reading& reading, const toml::table& table) {
  SchedulerSettings settings;
  const Preset* const preset = read_preset(reading, table);
  if (preset != nullptr) settings.policy = preset->name;
  const bool composed = table.contains("order") || table.contains("placement");
  if (!table.contains("policy") && !composed) {
    reading.blame(table.source(), path, "expected a policy, or an order and a placement",
                  fmt::format("policies are {}", fmt::join(names_of_presets(), ", ")));
  }
  for (const Choice& choice : choices) {
    settings.*choice.chosen = read_part(reading, table, choice, preset);
  }
  ParameterTables(reading, table, settings).read();
  return settings;
}

}  // namespace somnus
