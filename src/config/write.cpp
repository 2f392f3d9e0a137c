#include <fmt/format.h>

#include <algorithm>

#include "config/conditions.hpp"
#include "config/config.hpp"
#include "config/tables.hpp"

namespace somnus {
namespace {

bool is_list_of_tables(const Value& value) {
  const List* const list = value.list();
  const auto is_table = [](const Value& each) { return each.table() != nullptr; };
  return list != nullptr && !list->empty() && std::ranges::all_of(*list, is_table);
}

class Writer {
 public:
  void head(std::string_view name) {
    text_ += fmt::format("{}[{}]\n", text_.empty() ? "" : "\n", name);
  }
  void key(std::string_view name, const Value& value) {
    text_ += fmt::format("{} = {}\n", key_text(name), text_of(value));
  }
  void dotted_key(std::string_view table, std::string_view name, const Value& value) {
    text_ += fmt::format("{} = {}\n", joined(key_text(table), name), text_of(value));
  }
  /// Lists of tables come last, each table under a head of its own.
  void table(const std::string& name, const Table& table) {
    const auto is_inline = [](const Table::Entry& entry) {
      return !is_list_of_tables(entry.second);
    };
    if (table.empty() || std::ranges::any_of(table, is_inline)) head(name);
    for (const auto& [each, value] : table) {
      if (!is_list_of_tables(value)) key(each, value);
    }
    for (const auto& [each, value] : table) {
      if (!is_list_of_tables(value)) continue;
      for (const Value& one : *value.list()) {
        text_ += fmt::format("\n[[{}.{}]]\n", name, key_text(each));
        for (const auto& [own, own_value] : *one.table()) key(own, own_value);
      }
    }
  }
  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

/// The keys that are read.
template <Described S>
Table read_keys(const S& table, const Settings& settings, std::string_view name) {
  Table keys;
  for (const auto& [key, value] : table_of(table)) {
    if (is_read(settings, name, key)) keys[key] = value;
  }
  return keys;
}

/// Those that say something else than the default.
template <Described S>
Table keys_given(const S& keys) {
  const Table plain = to_value(S());
  Table given;
  for (const auto& [key, value] : to_value(keys)) {
    if (value != plain.at(key)) given[key] = value;
  }
  return given;
}

void write_scheduler(Writer& out, const SchedulerSettings& scheduler) {
  out.head("scheduler");
  for (const auto& [key, value] : table_of(scheduler)) {
    const Table* const parameters = value.table();
    if (parameters == nullptr) {
      out.key(key, value);
      continue;
    }
    for (const auto& [name, of_part] : *parameters) out.dotted_key(key, name, of_part);
  }
}

}  // namespace

Table table_of(const SchedulerSettings& scheduler) {
  Table table = keys_given(scheduler);
  const auto add = [&](const std::string& part, const Parameters& parameters) {
    if (parameters.empty()) return;
    Table all = table.contains(part) ? *table.at(part).table() : Table();
    for (const auto& [name, value] : parameters) all[name] = value;
    table[part] = std::move(all);
  };
  add(scheduler.whole, scheduler.whole_parameters);
  add(scheduler.order, scheduler.order_parameters);
  add(scheduler.backfill, scheduler.backfill_parameters);
  add(scheduler.placement, scheduler.placement_parameters);
  add(scheduler.partitioner, scheduler.partitioner_parameters);
  return table;
}

std::string to_toml(const Settings& settings) {
  Writer out;
  write_scheduler(out, settings.scheduler);
  out.table("cluster", to_value(keys_of(settings.cluster)));
  Table workload = keys_given(settings.workload);
  for (const auto& [name, value] : settings.workload.parameters) workload[name] = value;
  out.table("workload", workload);
  for_each_plain_table(settings, [&](const std::string& name, const auto& table) {
    if constexpr (std::is_same_v<decltype(table), const PluginSettings&>) {
      if (table.load.empty()) return;
    }
    if (is_read(settings, name, "")) out.table(name, read_keys(table, settings, name));
  });
  return std::move(out).take();
}

}  // namespace somnus
