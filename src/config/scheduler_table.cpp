#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/suggest.hpp"
#include "config/choices.hpp"
#include "config/policy_hint.hpp"
#include "config/tables.hpp"

namespace somnus {
namespace {

constexpr const char* scheduler_root = "scheduler";

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
  std::string SchedulerSettings::* chosen;
  std::string Preset::* of_preset;
  Parameters SchedulerSettings::* parameters;  // nullptr: parts of this kind have none
  bool has_key = true;                         // else the preset alone says it
};

const std::array<Choice, 9> choices = {
    {{PartKind::policy, &SchedulerSettings::whole, &Preset::whole,
      &SchedulerSettings::whole_parameters, false},
     {PartKind::order, &SchedulerSettings::order, &Preset::order,
      &SchedulerSettings::order_parameters},
     {PartKind::within, &SchedulerSettings::within, &Preset::within, nullptr},
     {PartKind::backfill, &SchedulerSettings::backfill, &Preset::backfill,
      &SchedulerSettings::backfill_parameters},
     {PartKind::preemption, &SchedulerSettings::preemption, &Preset::preemption, nullptr},
     {PartKind::placement, &SchedulerSettings::placement, &Preset::placement,
      &SchedulerSettings::placement_parameters},
     {PartKind::feedback, &SchedulerSettings::feedback, &Preset::feedback, nullptr},
     {PartKind::queue, &SchedulerSettings::queue, &Preset::queue, nullptr},
     {PartKind::partitioner, &SchedulerSettings::partitioner, &Preset::partitioner,
      &SchedulerSettings::partitioner_parameters}}};

const Preset* read_preset(ValueReader& reader, const Table& table) {
  const auto found = table.find("policy");
  if (found == table.end()) return nullptr;
  const auto name = reader.text(found->second, "scheduler.policy");
  if (!name) return nullptr;
  const Preset* const preset = find_preset(*name);
  if (preset == nullptr) {
    reader.add_error({.path = "scheduler.policy",
                      .what = fmt::format("unknown policy '{}'", *name),
                      .hint = policy_hint(*name, names_of_presets())});
  }
  return preset;
}

/// Empty if the part is not known.
std::string read_part(ValueReader& reader, const Table& table, const Choice& choice,
                      const Preset* preset) {
  const char* const kind = name_of(choice.kind);
  const std::string key = joined(scheduler_root, kind);
  if (!choice.has_key) return preset == nullptr ? std::string() : preset->*choice.of_preset;
  const auto found = table.find(kind);
  if (found == table.end()) {
    if (preset != nullptr) return preset->*choice.of_preset;
    if (table.contains("policy")) return {};  // which is a mistake already
    if (const char* const otherwise = default_part(choice.kind)) return otherwise;
    const bool composed = table.contains("order") || table.contains("placement");
    if (composed) {
      reader.add_error({.path = key,
                        .what = "expected one, as there is no policy",
                        .hint = suggest("", names_of_parts(choice.kind))});
    }
    return {};
  }
  if (preset != nullptr && (preset->*choice.of_preset).empty()) {
    reader.add_error(
        {.path = key,
         .what = fmt::format("ignored with {}.policy = {}, which is a whole policy and has "
                             "no {} to exchange",
                             scheduler_root, in_quotes(preset->name), kind),
         .hint = "leave it out, or choose a policy that is composed of parts",
         .at = ValueError::At::key,
         .ignored = true});
    return {};
  }
  const auto name = reader.text(found->second, key);
  if (!name) return {};
  if (find_part(choice.kind, *name) != nullptr) return *name;
  reader.add_error({.path = key,
                    .what = fmt::format("unknown {} '{}'", kind, *name),
                    .hint = policy_hint(*name, names_of_parts(choice.kind))});
  return {};
}

/// Those texts that have a / and name a file beside the config, as complete paths.
Value with_complete_paths(const Value& value, const std::filesystem::path& folder) {
  if (const List* const list = value.list()) {
    List completed;
    for (const Value& each : *list) completed.push_back(with_complete_paths(each, folder));
    return completed;
  }
  const std::string* const text = value.text();
  if (text == nullptr || text->find('/') == std::string::npos) return value;
  const std::filesystem::path file = std::filesystem::absolute(folder / *text).lexically_normal();
  std::error_code error;
  return std::filesystem::exists(file, error) ? Value(file.string()) : value;
}

class ParameterTables {
 public:
  /// preset: nullptr if there is none.
  ParameterTables(ValueReader& reader, const Table& table, const Preset* preset,
                  const std::filesystem::path& folder, SchedulerSettings& settings)
      : reader_(reader), table_(table), preset_(preset), folder_(folder), settings_(settings) {}

  void read() {
    for (const Choice& choice : choices) {
      if (choice.parameters != nullptr) {
        take(choice.kind, settings_.*choice.chosen, settings_.*choice.parameters);
      }
    }
    for (const auto& [name, value] : table_) {
      if (std::ranges::find(keys_, name) != keys_.end()) continue;
      if (chosen_.contains(name)) {
        if (value.table() != nullptr) refuse_unknown_parameters(*value.table(), name);
      } else if (!unchosen(name)) {
        std::vector<std::string> known = keys_;
        known.insert(known.end(), chosen_.begin(), chosen_.end());
        reader_.refuse_unknown({{name, value}}, scheduler_root, known);
      }
    }
  }

 private:
  void take(PartKind kind, const std::string& name, Parameters& into) {
    const Part* const part = find_part(kind, name);
    if (part == nullptr) return;
    const std::string own = joined(scheduler_root, name);
    const auto given = table_.find(name);
    const Table* table = nullptr;
    if (given != table_.end()) {
      const bool reported = given->second.table() == nullptr && reader_.blamed(own);
      if (!reported) table = reader_.table(given->second, own);
    }
    chosen_.insert(name);
    const Table given_of_part = table == nullptr ? Table() : *table;
    into = part->parameters.read(reader_, given_of_part, own);
    for (const ParameterInfo& info : part->parameters) {
      if (info.files) into[info.name] = with_complete_paths(into[info.name], folder_);
    }
    if (preset_ == nullptr || !preset_->parameters.contains(name)) return;
    for (const auto& [key, value] : preset_->parameters.at(name)) {
      if (!given_of_part.contains(key)) into[key] = value;
    }
  }

  void refuse_unknown_parameters(const Table& own, const std::string& name) {
    std::vector<std::string> known;
    for (const Choice& choice : choices) {
      const bool is_chosen = choice.parameters != nullptr && settings_.*choice.chosen == name;
      if (!is_chosen) continue;
      const std::vector<std::string> names = find_part(choice.kind, name)->parameters.names();
      known.insert(known.end(), names.begin(), names.end());
    }
    if (!known.empty() || own.empty()) {
      reader_.refuse_unknown(own, joined(scheduler_root, name), known);
    } else {
      reader_.add_error({.path = joined(scheduler_root, name),
                         .what = fmt::format("'{}' has no parameters", name)});
    }
  }

  /// Parameters of a part that exists, but that this scheduler is not made of.
  bool unchosen(const std::string& name) {
    for (const Choice& choice : choices) {
      const Part* const part = find_part(choice.kind, name);
      if (part == nullptr) continue;
      const std::string key = joined(scheduler_root, name);
      const bool beside_whole = choice.has_key && (settings_.*choice.chosen).empty();
      if (part->parameters.empty()) {
        reader_.add_error({.path = key,
                           .what = fmt::format("'{}' has no parameters", name),
                           .at = ValueError::At::key});
      } else if (const std::string chosen = instead(choice); !chosen.empty()) {
        reader_.add_error(
            {.path = key,
             .what = "ignored with " + chosen,
             .hint = beside_whole ? "leave it out" : "it needs " + what_chooses_any(name),
             .at = ValueError::At::key,
             .ignored = true});
      }
      return true;
    }
    return false;
  }

  /// Parts of two kinds may have one name.
  [[nodiscard]] static std::string what_chooses_any(const std::string& name) {
    std::vector<std::string> ways;
    for (const Choice& choice : choices) {
      if (choice.parameters == nullptr) continue;
      if (const Part* const part = find_part(choice.kind, name)) {
        ways.push_back(what_chooses(*part));
      }
    }
    return fmt::format("{}", fmt::join(ways, ", or "));
  }

  /// What is chosen of that kind, or in its place; empty: a mistake, which is reported already.
  [[nodiscard]] std::string instead(const Choice& choice) const {
    const auto said = [](PartKind kind, const std::string& name) {
      return fmt::format("{}.{} = {}", scheduler_root, name_of(kind), in_quotes(name));
    };
    const std::string& chosen = settings_.*choice.chosen;
    if (choice.has_key && !chosen.empty()) return said(choice.kind, chosen);
    if (choice.has_key && settings_.whole.empty()) return {};
    if (!settings_.policy.empty()) return said(PartKind::policy, settings_.policy);
    if (settings_.order.empty() || table_.contains("policy")) return {};
    return said(PartKind::order, settings_.order);
  }

  ValueReader& reader_;
  const Table& table_;
  const Preset* preset_;
  const std::filesystem::path& folder_;
  SchedulerSettings& settings_;
  std::vector<std::string> keys_ = names_of<SchedulerSettings>();
  std::set<std::string> chosen_;
};

}  // namespace

SchedulerSettings read_scheduler(ValueReader& reader, const Table& table,
                                 const std::filesystem::path& folder) {
  SchedulerSettings settings;
  const Preset* const preset = read_preset(reader, table);
  if (preset != nullptr) settings.policy = preset->name;
  const bool composed = table.contains("order") || table.contains("placement");
  if (!table.contains("policy") && !composed) {
    reader.add_error({.path = scheduler_root,
                      .what = "expected a policy, or an order and a placement",
                      .hint = fmt::format("policies are {}", fmt::join(names_of_presets(), ", "))});
  }
  if (const auto label = table.find("label"); label != table.end()) {
    settings.label = reader.text(label->second, "scheduler.label").value_or("");
  }
  if (const auto cycle = table.find("cycle_s"); cycle != table.end()) {
    settings.cycle_s =
        reader.number(cycle->second, "scheduler.cycle_s", SchedulerSettings::range_of_cycle, "s")
            .value_or(0);
  }
  for (const Choice& choice : choices) {
    settings.*choice.chosen = read_part(reader, table, choice, preset);
  }
  ParameterTables(reader, table, preset, folder, settings).read();
  return settings;
}

}  // namespace somnus
