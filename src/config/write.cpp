#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdint>

#include "config/conditions.hpp"
#include "config/config.hpp"
#include "config/toml_text.hpp"

namespace somnus {
namespace {

class Writer {
 public:
  void head(std::string_view name) {
    text_ += fmt::format("{}[{}]\n", text_.empty() ? "" : "\n", name);
  }
  void list_head(std::string_view name) { text_ += fmt::format("\n[[{}]]\n", name); }
  void key(std::string_view name, std::string_view value) {
    text_ += fmt::format("{} = {}\n", name, value);
  }
  /// Those that are read.
  template <Described S>
  void fields(const S& table, const Settings& settings, std::string_view name) {
    for_each_field<S>([&](const auto& field) {
      if (is_read(settings, name, field.name)) {
        key(field.name, value_text(table.*field.member));
      }
    });
  }
  template <Described S>
  void plain(const S& table, const Settings& settings, std::string_view name) {
    if (!is_read(settings, name, "")) return;
    head(name);
    fields(table, settings, name);
  }
  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

void write_cluster(Writer& out, const Cluster& cluster) {
  for (const NodeGroup& group : cluster.groups) {
    out.list_head("cluster.group");
    out.key("name", in_quotes(group.name));
    out.key("count", fmt::format("{}", group.count));
    out.key("slots_per_node", fmt::format("{}", group.slots));
    out.key("slowdown", number_text(group.slowdown));
    if (cluster.resources.empty()) continue;
    std::vector<std::string> amounts;
    for (std::size_t kind = 0; kind < cluster.resources.size(); ++kind) {
      amounts.push_back(fmt::format("{} = {}", cluster.resources[kind],
                                    number_text(group.capacity.amount(kind))));
    }
    out.key("resources", fmt::format("{{ {} }}", fmt::join(amounts, ", ")));
  }
}

void write_parameters(Writer& out, const std::string& part, const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    out.key(fmt::format("{}.{}", part, name), text_of(value));
  }
}

void write_scheduler(Writer& out, const SchedulerSettings& scheduler) {
  out.head("scheduler");
  for_each_field<SchedulerSettings>([&](const auto& field) {
    const std::string& name = scheduler.*field.member;
    if (!name.empty()) out.key(field.name, in_quotes(name));
  });
  write_parameters(out, scheduler.order, scheduler.order_parameters);
  write_parameters(out, scheduler.placement, scheduler.placement_parameters);
  write_parameters(out, scheduler.partitioner, scheduler.partitioner_parameters);
}

/// Bare where it would be read back as the same text.
std::string parameter_value(const std::string& text) {
  if (text == "true" || text == "false") return text;
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  const auto as_whole = std::from_chars(text.data(), end, whole);
  const bool is_whole = as_whole.ec == std::errc() && as_whole.ptr == end;
  if (is_whole && fmt::format("{}", whole) == text) return text;
  double number = 0;
  const auto as_number = std::from_chars(text.data(), end, number);
  const bool is_number = as_number.ec == std::errc() && as_number.ptr == end;
  const bool has_point = text.find('.') != std::string::npos;
  return is_number && has_point && number_text(number) == text ? text : in_quotes(text);
}

void write_workload(Writer& out, const WorkloadSettings& workload) {
  out.head("workload");
  for_each_field<WorkloadSettings>([&](const auto& field) {
    const std::string& value = workload.*field.member;
    if (!value.empty()) out.key(field.name, in_quotes(value));
  });
  for (const auto& [name, value] : workload.parameters) out.key(name, parameter_value(value));
}

void write_faults(Writer& out, const Settings& settings) {
  out.plain(settings.faults, settings, "faults");
  for (const FaultEvent& event : settings.faults.events) {
    out.list_head("faults.event");
    out.fields(event, settings, "faults.event");
  }
}

}  // namespace

std::string to_toml(const Settings& settings) {
  Writer out;
  write_scheduler(out, settings.scheduler);
  write_cluster(out, settings.cluster);
  out.plain(settings.queue, settings, "queue");
  out.plain(settings.job_manager, settings, "job_manager");
  out.plain(settings.estimate, settings, "estimate");
  out.plain(settings.heartbeat, settings, "heartbeat");
  out.plain(settings.network, settings, "network");
  out.plain(settings.jvm, settings, "jvm");
  write_faults(out, settings);
  write_workload(out, settings.workload);
  out.plain(settings.run, settings, "run");
  out.plain(settings.log, settings, "log");
  return std::move(out).take();
}

}  // namespace somnus
