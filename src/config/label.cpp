// Names of schedulers: a preset, with what differs from it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "config/conditions.hpp"
#include "config/config.hpp"
#include "config/exchanges.hpp"
#include "config/policy_hint.hpp"
#include "config/tables.hpp"

namespace somnus {
namespace {

/// As people write it after --set: bare where that is read back as the same.
std::string plain_text(const Value& value) {
  const std::string* const text = value.text();
  return text != nullptr && is_bare_key(*text) ? *text : text_of(value);
}

bool names_files(std::string_view part, std::string_view parameter) {
  return std::ranges::any_of(parts(), [&](const Part& each) {
    return each.name == part &&
           std::ranges::any_of(each.parameters, [&](const ParameterInfo& info) {
             return info.files && info.name == parameter;
           });
  });
}

class Label {
 public:
  explicit Label(std::string text) : text_(std::move(text)) {}

  void add(const std::string& key, const Value& value) { add_text(key, plain_text(value)); }
  void add_text(const std::string& key, const std::string& text) {
    text_ += fmt::format("+{}={}", key, text);
  }
  void add_differences(const std::string& path, const Table& table, const Table& plain) {
    for (const auto& [key, value] : table) {
      if (names_files(path, key)) continue;  // by which the part is called
      const auto found = plain.find(key);
      if (found == plain.end() || found->second != value) add(joined(path, key), value);
    }
  }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

SchedulerSettings chosen_by(const Table& table) {
  ValueReader reader;
  return read_scheduler(reader, table);
}

template <Described S>
Table keys_read(const S& table, const Settings& settings, const char* name) {
  Table keys;
  for (const auto& [key, value] : to_value(table)) {
    if (is_read(settings, name, key)) keys[key] = value;
  }
  return keys;
}

std::vector<std::string> names_to_start_from() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  for (const Part& part : parts()) {
    const bool known = find_preset(part.name) != nullptr;
    if (part.kind == PartKind::order && !known) names.push_back(part.name);
  }
  return names;
}

/// Of the words of a command the file that it runs; of a text that file.
std::string file_in(const Value& value) {
  const auto name = [](const std::string& text) {
    return std::filesystem::path(text).filename().string();
  };
  if (const std::string* const text = value.text()) return name(*text);
  const List* const words = value.list();
  if (words == nullptr || words->empty() || words->front().text() == nullptr) return "";
  for (const Value& each : std::span(*words).subspan(1)) {
    const std::string* const word = each.text();
    const bool is_file = word != nullptr && !word->starts_with('-') &&
                         word->find_first_of("./") != std::string::npos;
    if (is_file) return name(*word);
  }
  return name(*words->front().text());
}

/// What a part that is outside of this program is called: as the file that its parameters name.
/// Others keep their name.
std::string called(const std::string& part, const Parameters& parameters) {
  for (const auto& [key, value] : parameters) {
    if (!names_files(part, key)) continue;
    if (std::string file = file_in(value); !file.empty()) return file;
  }
  return part;
}

bool is_part(std::string_view name) {
  return std::ranges::find(parts(), name, &Part::name) != parts().end();
}

}  // namespace

std::size_t next_exchange(std::string_view label, std::size_t from) {
  for (std::size_t plus = label.find('+', from); plus != std::string_view::npos;
       plus = label.find('+', plus + 1)) {
    const std::string_view behind = label.substr(plus + 1);
    const std::size_t equals = behind.find('=');
    if (equals == 0 || equals == std::string_view::npos) continue;
    const std::string_view key = behind.substr(0, equals);
    const bool dotted = std::ranges::all_of(
        key, [](char each) { return each == '.' || is_bare_key(std::string_view(&each, 1)); });
    if (dotted) return plus;
  }
  return label.size();
}

std::string label_of(const Settings& settings) {
  const SchedulerSettings& scheduler = settings.scheduler;
  if (!scheduler.label.empty()) return scheduler.label;
  const Preset* const preset = find_preset(scheduler.policy);
  const std::string order = called(scheduler.order, scheduler.order_parameters);
  const bool is_whole = !scheduler.whole.empty();
  Label label(preset == nullptr ? order
              : is_whole        ? called(scheduler.policy, scheduler.whole_parameters)
                                : scheduler.policy);

  Table start;
  if (preset != nullptr) {
    start["policy"] = scheduler.policy;
  } else {
    start["order"] = scheduler.order;
    start["placement"] = scheduler.placement;
    label.add("placement", scheduler.placement);
  }
  const Table plain_parts = to_value(chosen_by(start));
  for (const auto& [key, value] : to_value(scheduler)) {
    if (value == plain_parts.at(key)) continue;
    label.add_text(key, key == "order" ? order : plain_text(value));
    start[key] = value;
  }
  const Table plain = table_of(chosen_by(start));
  for (const auto& [part, value] : table_of(scheduler)) {
    const Table* const parameters = value.table();
    if (parameters == nullptr) continue;
    const auto defaults = plain.find(part);  // none where all have to be given
    label.add_differences(part, *parameters,
                          defaults == plain.end() ? Table() : *defaults->second.table());
  }
  const auto of_table = [&](const char* name, const auto& table, const auto& of_preset) {
    label.add_differences(name, keys_read(table, settings, name), to_value(of_preset));
  };
  of_table("queue", settings.queue, preset != nullptr ? preset->queue_rules : QueueRules());
  of_table("job_manager", settings.job_manager,
           preset != nullptr ? preset->job_manager : JobManagerRules());
  return std::move(label).text();
}

Checked<std::vector<Override>> overrides_of_label(std::string_view label) {
  std::size_t at = next_exchange(label, 0);
  const std::string name(label.substr(0, at));
  const bool is_preset = find_preset(name) != nullptr;
  const bool is_of_config = name.empty() && !label.empty();  // "+order=srpt"
  if (!is_of_config && !is_preset && find_part(PartKind::order, name) == nullptr) {
    return mistake({.key = "--policy",
                    .what = fmt::format("unknown policy '{}'", name),
                    .hint = policy_hint(name, names_to_start_from())});
  }
  std::vector<Override> overrides;
  if (!is_of_config) {
    overrides.push_back(text_override(is_preset ? "scheduler.policy" : "scheduler.order", name));
    overrides.back().of_policy = true;
  }
  while (at < label.size()) {
    const std::size_t end = next_exchange(label, at + 1);
    Checked<Override> one = parse_override(label.substr(at + 1, end - at - 1));
    if (!one) return tl::unexpected(std::move(one.error()));
    const std::size_t dot = one->key.find('.');
    const bool of_scheduler = dot == std::string::npos || is_part(one->key.substr(0, dot));
    if (of_scheduler) one->key = "scheduler." + one->key;
    one->of_policy = true;
    overrides.push_back(std::move(*one));
    at = end;
  }
  return overrides;
}

}  // namespace somnus
