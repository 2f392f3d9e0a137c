#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/suggest.hpp"
#include "base/wrapped.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/parameters_json.hpp"
#include "emulator/commands/result.hpp"
#include "plugins/plugins.hpp"
#include "scheduler/registry.hpp"

namespace somnus::command_policies {
namespace {

struct PoliciesOptions {
  CommonOptions common;
  std::string name;  // empty: all
};

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

constexpr std::size_t indent = 4;

/// Below the name of a preset or a part.
std::string below(std::string_view text) {
  return fmt::format("{:{}}{}\n", "", indent, wrapped(text, indent + 2));
}

std::string below_origin(const Plugin* plugin) {
  if (plugin == nullptr) return "";
  return below(fmt::format("from {} {}, {}", plugin->name, plugin->version,
                           plugin->file.filename().string()));
}
nlohmann::json origin_as_json(const Plugin* plugin) {
  return plugin == nullptr ? nlohmann::json() : nlohmann::json(plugin->text());
}

template <Described S>
std::string text_of_set(const char* name, const S& table) {
  std::string keys;
  for_each_set(table, [&](const char* key, const std::string& value) {
    keys += fmt::format("{}{} = {}", keys.empty() ? "" : ", ", key, value);
  });
  return keys.empty() ? "" : below(fmt::format("[{}] {}", name, keys));
}

std::string text_of(const Preset& preset) {
  const std::string decides =
      preset.whole.empty()
          ? fmt::format("order {}, backfill {}, preemption {}, placement {}", preset.order,
                        preset.backfill, preset.preemption, preset.placement)
          : fmt::format("whole policy {}", preset.whole);
  std::string text = wrapped(fmt::format("{}: {}", preset.name, preset.summary), indent) + "\n";
  text += below(fmt::format("{}, within {}, feedback {}, queue {}, partitioner {}; {}", decides,
                            preset.within, preset.feedback, preset.queue, preset.partitioner,
                            preset.source));
  for (const auto& [part, parameters] : preset.parameters) {
    for (const auto& [key, value] : parameters) {
      text += below(fmt::format("[scheduler.{}] {} = {}", part, key, somnus::text_of(value)));
    }
  }
  text += below_origin(plugin_of(preset));
  return text + text_of_set("queue", preset.queue_rules) +
         text_of_set("job_manager", preset.job_manager);
}

std::string text_of(const Part& part) {
  std::string text = wrapped(fmt::format("{}, {}: {} ({})", part.name, name_of(part.kind),
                                         part.summary, part.source),
                             indent) +
                     "\n";
  if (!part.note.empty()) text += below(part.note);
  text += below_origin(plugin_of(part));
  for (const ParameterInfo& info : part.parameters) {
    std::string choices;
    for (const std::string& choice : info.choices) {
      choices += (choices.empty() ? "; one of " : ", ") + choice;
    }
    text += below(fmt::format("[scheduler.{}] {} = {}  {}{}{}", part.name, info.name,
                              info.fallback ? somnus::text_of(*info.fallback) : "(none)",
                              info.unit.empty() ? "" : info.unit + ": ", info.meaning, choices));
  }
  return text;
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
          {"backfill", preset.backfill},
          {"needs_limits", backfill_traits(preset.backfill).needs_limits},
          {"preemption", preset.preemption},
          {"placement", preset.placement},
          {"feedback", preset.feedback},
          {"queue", preset.queue},
          {"partitioner", preset.partitioner},
          {"summary", preset.summary},
          {"source", preset.source},
          {"plugin", origin_as_json(plugin_of(preset))},
          {"settings",
           {{"scheduler", parameters_as_json(preset)},
            {"queue", set_as_json(preset.queue_rules)},
            {"job_manager", set_as_json(preset.job_manager)}}}};
}

nlohmann::json as_json(const Part& part) {
  auto examples = nlohmann::json::array();
  for (const Parameters& example : part.examples) examples.push_back(as_json(Value(example)));
  return {{"kind", name_of(part.kind)}, {"name", part.name},
          {"summary", part.summary},    {"source", part.source},
          {"note", part.note},          {"parameters", as_json(std::span(part.parameters))},
          {"examples", examples},       {"plugin", origin_as_json(plugin_of(part))}};
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

std::string text_of(const std::vector<const Preset*>& chosen_presets,
                    const std::vector<const Part*>& chosen_parts) {
  std::string text;
  if (!chosen_presets.empty()) {
    text += "Presets: published systems, `policy = \"NAME\"` in [scheduler]\n";
    for (const Preset* preset : chosen_presets) text += text_of(*preset);
    text += "\n";
  }
  text +=
      "Parts: exchange any of them, `order = \"NAME\"` and so on in [scheduler],\n`reorder` in "
      "[queue]\n";
  for (const Part* part : chosen_parts) text += text_of(*part);
  return text;
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
              part.name == preset->backfill || part.name == preset->placement ||
              part.name == preset->partitioner);
    });
    if (named || of_preset) chosen_parts.push_back(&part);
  }
  print_result(
      options.common,
      [&] {
        nlohmann::json all = {{"presets", nlohmann::json::array()},
                              {"parts", nlohmann::json::array()}};
        for (const Preset* preset : chosen_presets) all["presets"].push_back(as_json(*preset));
        for (const Part* part : chosen_parts) all["parts"].push_back(as_json(*part));
        return all;
      },
      [&] { return text_of(chosen_presets, chosen_parts); });
  return exit_fine;
}

void describe(CLI::App& app, PoliciesOptions& options) {
  app.add_option("name", options.name, "just this one");
  add_output(app, options.common);
}

const Registered<Command> row =
    command("policies", CommandGroup::reference,
            "presets and parts, with parameters, units, defaults and source", describe, policies);

}  // namespace
}  // namespace somnus::command_policies
