// Law: what to_toml() writes, parse_settings() reads back as the same settings.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "config/check.hpp"
#include "config/conditions.hpp"
#include "config/gangs.hpp"
#include "config/tables.hpp"
#include "formats/formats.hpp"
#include "generators/generators.hpp"

namespace somnus::test {
namespace {

bool same(const Cluster& a, const Cluster& b) {
  const auto same_group = [](const NodeGroup& x, const NodeGroup& y) {
    return x.name == y.name && x.count == y.count && x.slots == y.slots &&
           x.capacity == y.capacity && x.slowdown == y.slowdown;
  };
  return a.resources == b.resources &&
         std::equal(a.groups.begin(), a.groups.end(), b.groups.begin(), b.groups.end(), same_group);
}

bool same(const Settings& a, const Settings& b) {
  Table plain_a;
  Table plain_b;
  for_each_plain_table(a, [&](const char* name, auto& table) { plain_a[name] = table_of(table); });
  for_each_plain_table(b, [&](const char* name, auto& table) { plain_b[name] = table_of(table); });
  return plain_a == plain_b && a.origin == b.origin && same(a.cluster, b.cluster) &&
         to_value(a.scheduler) == to_value(b.scheduler) && a.scheduler.whole == b.scheduler.whole &&
         a.scheduler.whole_parameters == b.scheduler.whole_parameters &&
         a.scheduler.order_parameters == b.scheduler.order_parameters &&
         a.scheduler.backfill_parameters == b.scheduler.backfill_parameters &&
         a.scheduler.placement_parameters == b.scheduler.placement_parameters &&
         a.scheduler.partitioner_parameters == b.scheduler.partitioner_parameters &&
         to_value(a.workload) == to_value(b.workload) &&
         a.workload.parameters == b.workload.parameters;
}

std::uint64_t up_to(std::uint64_t most) { return *rc::gen::inRange<std::uint64_t>(0, most); }

/// Within the range, and what the emulated clock can keep.
double any_number(const Range& range) {
  if (range.infinite && up_to(4) == 1) return infinity;
  const double low = std::isfinite(range.low) ? range.low : -1e6;
  const double high = std::isfinite(range.high) ? range.high : 4e6;
  constexpr std::uint64_t steps = 1ULL << 40;
  const double share = static_cast<double>(1 + up_to(steps)) / static_cast<double>(steps);
  const double number = low + (high - low) * share;
  return std::min(number, high);
}

/// Letters, quotes, escapes, controls and beyond ASCII.
std::string any_text() {
  static const std::vector<std::string> letters = {"a", "Z", "7", " ", "\"", "'",    "\\", "\n",
                                                   "#", "=", ".", "é", "\t", "\x01", "日", "]"};
  std::string text;
  const std::uint64_t length = up_to(8);
  for (std::uint64_t i = 0; i < length; ++i) text += letters[up_to(letters.size())];
  return text;
}

template <class T>
T any_value(const Range& range) {
  if constexpr (std::same_as<T, bool>) {
    return up_to(2) == 1;
  } else if constexpr (std::same_as<T, std::string>) {
    return any_text();
  } else if constexpr (std::same_as<T, double>) {
    return any_number(range);
  } else if constexpr (NamedEnum<T>) {
    return EnumNames<T>::names[up_to(std::size(EnumNames<T>::names))].first;
  } else if constexpr (ListsChoices<T>) {
    const std::vector<std::string> choices = T::choices();
    return *T::parse(choices[up_to(choices.size())]);
  } else {
    return static_cast<T>(up_to(std::isfinite(range.high) ? 10 : 1ULL << 31));
  }
}

/// The keys that are read get any value; the first pass sets those that decide.
template <Described S>
void fill(S& table, const Settings& settings, std::string_view name) {
  for (int pass = 0; pass < 2; ++pass) {
    for_each_field<S>([&](const auto& field) {
      using T = typename std::remove_cvref_t<decltype(field)>::member_type;
      const bool decides = NamedEnum<T> || ListsChoices<T>;
      if (decides != (pass == 0)) return;
      if constexpr (!detail::is_vector<T>) {
        if (is_read(settings, name, field.name)) table.*field.member = any_value<T>(field.range);
      }
    });
  }
}

Cluster any_cluster() {
  Cluster cluster;
  static const std::vector<std::string> kinds = {"cpu", "mem_gb", "disk-in", "disk-out", "0", "x"};
  const std::uint64_t kind_count = up_to(kinds.size() + 1);
  cluster.resources.assign(kinds.begin(), kinds.begin() + static_cast<std::ptrdiff_t>(kind_count));
  const std::uint64_t groups = 1 + up_to(3);
  for (std::uint64_t index = 0; index < groups; ++index) {
    NodeGroup group{.name = any_text() + std::to_string(index)};
    group.count = 1 + static_cast<std::uint32_t>(up_to(1000));
    group.slots = 1 + static_cast<std::uint32_t>(up_to(65'535));
    group.slowdown = any_number({.low = 0.001, .high = 1000});
    for (std::size_t kind = 0; kind < kind_count; ++kind) {
      group.capacity.set(kind, any_number({.low = 0, .high = 1e9}));
    }
    cluster.groups.push_back(group);
  }
  return cluster;
}

/// Sorted, as settings have them.
Table any_free_table(const Range& range) {
  std::map<std::string, double> amounts;
  while (up_to(4) > 0) amounts[any_text()] = any_number(range);
  return *value_of(amounts).table();
}

Parameters any_parameters(const ParameterSchema& schema) {
  Parameters parameters = schema.defaults();
  for (const ParameterInfo& info : schema) {
    Value& value = parameters[info.name];
    if (info.type == ValueType::flag) value = up_to(2) == 1;
    if (info.type == ValueType::number) value = any_number(info.range);
    if (info.type == ValueType::whole) {
      value = std::min(std::max(info.range.low, 1.0) + double(up_to(1000)), info.range.high);
    }
    if (info.type == ValueType::free_table) value = any_free_table(info.range);
    if (!info.choices.empty()) value = info.choices[up_to(info.choices.size())];
  }
  return parameters;
}

std::string any_part(PartKind kind, Parameters& parameters) {
  std::vector<const Part*> of_kind;
  for (const Part& part : parts()) {
    if (part.kind == kind) of_kind.push_back(&part);
  }
  const Part& part = *of_kind[up_to(of_kind.size())];
  parameters = any_parameters(part.parameters);
  return part.name;
}

SchedulerSettings any_scheduler() {
  SchedulerSettings scheduler;
  if (up_to(2) == 1) scheduler.policy = presets()[up_to(presets().size())].name;
  Parameters none;
  scheduler.within = any_part(PartKind::within, none);
  const Preset* const preset = find_preset(scheduler.policy);
  if (preset != nullptr && !preset->whole.empty()) {
    scheduler.whole = preset->whole;
    scheduler.whole_parameters =
        any_parameters(find_part(PartKind::policy, scheduler.whole)->parameters);
  } else {
    scheduler.order = any_part(PartKind::order, scheduler.order_parameters);
    scheduler.backfill = any_part(PartKind::backfill, scheduler.backfill_parameters);
    scheduler.preemption = any_part(PartKind::preemption, none);
    scheduler.placement = any_part(PartKind::placement, scheduler.placement_parameters);
  }
  scheduler.feedback = any_part(PartKind::feedback, none);
  scheduler.queue = any_part(PartKind::queue, none);
  scheduler.partitioner = any_part(PartKind::partitioner, scheduler.partitioner_parameters);
  return scheduler;
}

/// By keys that the generator or format does not take for its own.
void shape(WorkloadSettings& workload) {
  const Parameters& theirs = workload.parameters;
  if (!theirs.contains("jobs")) workload.jobs = static_cast<std::uint32_t>(up_to(50));
  if (!theirs.contains("from_s")) workload.from_s = static_cast<double>(up_to(100));
  workload.resample = static_cast<std::uint32_t>(up_to(9));
  workload.scale_tasks = 0.5 + static_cast<double>(up_to(3));
  workload.load = static_cast<double>(up_to(3)) / 4;
}

WorkloadSettings any_workload() {
  WorkloadSettings workload;
  if (up_to(2) == 1) {
    workload.file = "f" + any_text();
    if (up_to(2) == 1) return workload;
    const Format& format = formats()[up_to(formats().size())];
    workload.format = format.name;
    workload.parameters = any_parameters(format.parameters);
  } else {
    const Generator& generator = generators()[up_to(generators().size())];
    workload.generator = generator.name;
    workload.parameters = any_parameters(generator.parameters);
  }
  shape(workload);
  return workload;
}

/// Not every part goes with every other.
void make_compatible(Settings& settings) {
  SchedulerSettings& scheduler = settings.scheduler;
  if (scheduler.placement == "batch-sampling") {
    scheduler.queue = "worker";
    scheduler.feedback = up_to(2) == 1 ? "at-once" : "monitor";
  }
  const bool same_view = !scheduler.whole.empty() || scheduler.placement == "own-slots";
  if (scheduler.feedback == "monitor" && same_view) scheduler.feedback = "heartbeat";
  if (scheduler.feedback == "monitor") scheduler.queue = "worker";
  const bool heeds_demands = scheduler.placement == "any-free" ||
                             scheduler.placement == "own-slots" || !scheduler.whole.empty();
  if (heeds_demands && scheduler.queue == "none") {
    const Part* const order = find_part(PartKind::order, scheduler.order);
    const bool counts_slots =
        order != nullptr && std::get<OrderPart>(order->as).traits({}).counts_slots;
    const bool resources = !settings.cluster.resources.empty();
    if (!resources || counts_slots || up_to(2) == 1) return;
    for (NodeGroup& group : settings.cluster.groups) group.slots = 0;
    return;
  }
  settings.cluster.resources.clear();  // all others count slots
  for (NodeGroup& group : settings.cluster.groups) group.capacity = {};
}

/// Nor every backfill with every other part.
void make_backfill_compatible(Settings& settings) {
  SchedulerSettings& scheduler = settings.scheduler;
  if (scheduler.whole.empty() && objections_to_gangs(settings).empty() &&
      settings.cluster.resources.empty()) {
    return;
  }
  scheduler.backfill = scheduler.whole.empty() ? default_part(PartKind::backfill) : "";
  scheduler.backfill_parameters = {};
}

/// Nor does every order say who may take whose slots.
void make_preemption_compatible(Settings& settings) {
  SchedulerSettings& scheduler = settings.scheduler;
  const bool composed = scheduler.whole.empty();
  if (composed && objections_to_gangs(settings).empty() && settings.cluster.resources.empty() &&
      order_traits(composition_of(settings)).has_tiers) {
    return;
  }
  scheduler.preemption = composed ? default_part(PartKind::preemption) : "";
}

Settings any_settings() {
  Settings settings;
  settings.origin = "some/where.toml";
  settings.cluster = any_cluster();
  settings.scheduler = any_scheduler();
  settings.workload = any_workload();
  make_compatible(settings);
  make_backfill_compatible(settings);
  make_preemption_compatible(settings);
  if (const Preset* const preset = find_preset(settings.scheduler.policy)) {
    settings.queue = preset->queue_rules;
    settings.job_manager = preset->job_manager;
  }
  fill(settings.queue, settings, "queue");
  if (settings.scheduler.placement == "batch-sampling") {  // which takes no bound
    settings.queue.bound = QueueBound::none;
    settings.queue.length = QueueRules().length;
    settings.queue.max_wait_s = QueueRules().max_wait_s;
  }
  fill(settings.job_manager, settings, "job_manager");
  fill(settings.estimate, settings, "estimate");
  fill(settings.faults, settings, "faults");
  settings.faults.missed_heartbeats += settings.faults.missed_heartbeats == 1 ? 1 : 0;
  settings.faults.heartbeat_late_probability *= 1 - settings.faults.heartbeat_loss_probability;
  fill(settings.heartbeat, settings, "heartbeat");
  fill(settings.network, settings, "network");
  const WarmupRow& warmup = warmup_models()[up_to(warmup_models().size())];
  settings.jvm = {.model = warmup.name, .parameters = any_parameters(warmup.parameters)};
  fill(settings.limits, settings, "limits");
  fill(settings.run, settings, "run");
  fill(settings.log, settings, "log");
  const std::uint64_t events = up_to(4);
  for (std::uint64_t index = 0; index < events; ++index) {
    FaultEvent event;
    fill(event, settings, "faults.event");
    event.node %= settings.cluster.node_count();
    if (event.kind == FaultKind::node_returned) event.for_s = 0;
    settings.faults.events.push_back(event);
  }
  return settings;
}

RC_GTEST_PROP(ToToml, IsReadBackAsTheSameSettings, ()) {
  const Settings settings = any_settings();
  const std::string toml = to_toml(settings);
  RC_LOG() << toml;
  const auto again = parse_settings(toml, settings.origin, {});
  if (!again) RC_FAIL(again.error().text());
  RC_ASSERT(same(*again, settings));
  RC_ASSERT(to_toml(*again) == toml);
}

TEST(ToToml, OfEveryPresetIsReadBackAsTheSameSettings) {
  for (const Preset& preset : presets()) {
    const Settings settings = settings_of(least, {"scheduler.policy=" + preset.name});
    EXPECT_EQ(settings.scheduler.policy, preset.name);
    const std::string toml = to_toml(settings);
    const Settings again = settings_of(toml);
    EXPECT_TRUE(same(again, settings)) << toml;
    EXPECT_EQ(to_toml(again), toml);
  }
}

TEST(ToToml, WritesEveryKeyThatIsReadAndNoOther) {
  EXPECT_EQ(to_toml(settings_of(least)), R"([scheduler]
policy = "cfq"
order = "cfq"
within = "as-numbered"
backfill = "first-fit"
preemption = "none"
placement = "any-free"
feedback = "at-once"
queue = "none"
partitioner = "by-size"
cfq.level = "job"
by-size.partitions = 0
by-size.launch_overhead_s = 0.005

[[cluster.group]]
name = "nodes"
count = 4
slots_per_node = 2
slowdown = 1

[workload]
file = "jobs.jsonl"

[job_manager]
poll_s = 0
launch_s = 0
launch = "constant"

[estimate]
model = "exact"

[network]
delay_ms = 0
jitter = 0

[jvm]
model = "none"

[faults]
seed = 0
node_mtbf_s = 0
slow_node_probability = 0
straggler_probability = 0
task_failure_probability = 0
missed_heartbeats = 0
event = []

[speculation]
slowdown = 0

[limits]
model = "given"
grace_s = 0

[run]
seed = 1
speed = 1
executor = "timer"
poll = "auto"
poll_us = 100
until_s = 0
silence_s = 20
on_silence = "end"
audit_keys = false

[log]
file = ""
replay = true
targets = true
sample_interval_s = 0
compression = 0
)");
}

}  // namespace
}  // namespace somnus::test
