#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>

#include "base/suggest.hpp"
#include "base/wrapped.hpp"
#include "emulator/commands/command.hpp"
#include "scheduler/registry.hpp"

namespace somnus::command_policies {
namespace {

struct PoliciesOptions {
  std::string name;  // empty: all
  bool json = false;
};

nlohmann::json as_json(const Value& value) {
  return value.visit([]<class T>(const T& held) -> nlohmann::json {
    if constexpr (std::same_as<T, double>) {
      if (!std::isfinite(held)) return number_text(held);  // JSON has no such number
      return held;
    } else if constexpr (std::same_as<T, List>) {
      auto list = nlohmann::json::array();
      for (const Value& each : held) list.push_back(as_json(each));
      return list;
    } else if constexpr (std::same_as<T, Table>) {
      auto table = nlohmann::json::object();
      for (const auto& [name, each] : held) table[name] = as_json(each);
      return table;
    } else if constexpr (std::same_as<T, Value::Other>) {
      return held.kind;
    } else {
      return held;
    }
  });
}

/// What a preset sets in a table of the config: visit(key, value as TOML) for each.
template <Described S, class Visit>
void for_each_set(const S& table, Visit&& visit) {
  const S defaults;
  for_each_field<S>([&](const auto& field) {
    if (table.*field.member != defaults.*field.member) {
      visit(field.name, text_of(value_of(table.*field.member)));
    }
  });
}

template <Described S>
void print_set(const char* name, const S& table) {
  std::string keys;
  for_each_set(table, [&](const char* key, const std::string& value) {
    keys += fmt::format("{}{} = {}", keys.empty() ? "" : ", ", key, value);
  });
  if (!keys.empty()) fmt::print("{:<14}   [{}] {}\n", "", name, keys);
}

void print(const Preset& preset) {
  const std::string decides =
      preset.whole.empty() ? fmt::format("order {}, placement {}", preset.order, preset.placement)
                           : fmt::format("whole policy {}", preset.whole);
  fmt::print("{:<14} {}\n{:<14}   {}, within {}, feedback {}, queue {}, partitioner {}; {}\n",
             preset.name, preset.summary, "", decides, preset.within, preset.feedback, preset.queue,
             preset.partitioner, preset.source);
  for (const auto& [part, parameters] : preset.parameters) {
    for (const auto& [key, value] : parameters) {
      fmt::print("{:<14}   [scheduler.{}] {} = {}\n", "", part, key, text_of(value));
    }
  }
  print_set("queue", preset.queue_rules);
  print_set("job_manager", preset.job_manager);
}

void print(const Part& part) {
  fmt::print("{:<14} {:<11} {} ({})\n", part.name, name_of(part.kind), part.summary, part.source);
  if (!part.note.empty()) fmt::print("{:<17}{}\n", "", wrapped(part.note, 17));
  for (const ParameterInfo& info : part.parameters) {
    std::string choices;
    for (const std::string& choice : info.choices) {
      choices += (choices.empty() ? "; one of " : ", ") + choice;
    }
    fmt::print("{:<14}   [scheduler.{}] {} = {}  {}{}{}\n", "", part.name, info.name,
               info.fallback ? text_of(*info.fallback) : "(none)",
               info.unit.empty() ? "" : info.unit + ": ", info.meaning, choices);
  }
}

template <Described S>
nlohmann::json set_as_json(const S& table) {
  auto keys = nlohmann::json::object();
  for_each_set(table, [&](const char* key, const std::string& value) { keys[key] = value; });
  return keys;
}

nlohmann::json parameters_as_json(const Preset& preset) {
  auto parts = nlohmann::json::object();
  for (const auto& [part, parameters] : preset.parameters) {
    for (const auto& [key, value] : parameters) parts[part][key] = as_json(value);
  }
  return parts;
}

nlohmann::json as_json(const Preset& preset) {
  return {{"name", preset.name},
          {"whole", preset.whole},
          {"order", preset.order},
          {"within", preset.within},
          {"placement", preset.placement},
          {"feedback", preset.feedback},
          {"queue", preset.queue},
          {"partitioner", preset.partitioner},
          {"summary", preset.summary},
          {"source", preset.source},
          {"settings",
           {{"scheduler", parameters_as_json(preset)},
            {"queue", set_as_json(preset.queue_rules)},
            {"job_manager", set_as_json(preset.job_manager)}}}};
}

nlohmann::json as_json(const Part& part) {
  auto parameters = nlohmann::json::array();
  for (const ParameterInfo& info : part.parameters) {
    nlohmann::json one = {{"name", info.name}, {"unit", info.unit}, {"meaning", info.meaning}};
    if (info.fallback) one["default"] = as_json(*info.fallback);
    if (!info.choices.empty()) one["choices"] = info.choices;
    parameters.push_back(std::move(one));
  }
  auto examples = nlohmann::json::array();
  for (const Parameters& example : part.examples) examples.push_back(as_json(Value(example)));
  return {{"kind", name_of(part.kind)}, {"name", part.name}, {"summary", part.summary},
          {"source", part.source},      {"note", part.note}, {"parameters", parameters},
          {"examples", examples}};
}

void require_known(const std::string& name) {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  for (const Part& part : parts()) names.push_back(part.name);
  if (std::ranges::find(names, name) != names.end()) return;
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  throw UserError(mistake({.key = name,
                           .what = "no preset and no part has this name",
                           .hint = suggest(name, names)})
                      .value());
}

int policies(const PoliciesOptions& options) {
  if (!options.name.empty()) require_known(options.name);
  std::vector<const Preset*> chosen_presets;
  for (const Preset& preset : presets()) {
    if (options.name.empty() || preset.name == options.name) chosen_presets.push_back(&preset);
  }
  // All, the one of that name, or those of the preset that there is more to say of.
  std::vector<const Part*> chosen_parts;
  for (const Part& part : parts()) {
    const bool named = options.name.empty() || part.name == options.name;
    const bool of_preset = std::ranges::any_of(chosen_presets, [&](const Preset* preset) {
      return !part.parameters.empty() &&
             (part.name == preset->whole || part.name == preset->order ||
              part.name == preset->placement || part.name == preset->partitioner);
    });
    if (named || of_preset) chosen_parts.push_back(&part);
  }
  if (options.json) {
    nlohmann::json all = {{"presets", nlohmann::json::array()}, {"parts", nlohmann::json::array()}};
    for (const Preset* preset : chosen_presets) all["presets"].push_back(as_json(*preset));
    for (const Part* part : chosen_parts) all["parts"].push_back(as_json(*part));
    fmt::print("{}\n", all.dump(2));
    return exit_fine;
  }
  if (!chosen_presets.empty()) {
    fmt::print("Presets: published systems, `policy = \"NAME\"` in [scheduler]\n");
    for (const Preset* preset : chosen_presets) print(*preset);
    fmt::print("\n");
  }
  fmt::print(
      "Parts: exchange any of them, `order = \"NAME\"` and so on in [scheduler], `reorder` in "
      "[queue]\n");
  for (const Part* part : chosen_parts) print(*part);
  return exit_fine;
}

void describe(CLI::App& app, PoliciesOptions& options) {
  app.add_option("name", options.name, "just this one");
  app.add_flag("--json", options.json, "as JSON");
}

const Registered<Command> row =
    command("policies", CommandGroup::reference,
            "presets and parts, with parameters, units, defaults and source", describe, policies);

}  // namespace
}  // namespace somnus::command_policies
