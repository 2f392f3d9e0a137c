// The tables that are more than a list of keys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/parameters.hpp"
#include "config/settings.hpp"

namespace somnus {

inline constexpr double most_nodes = 1'000'000;
inline constexpr double most_slots_per_node = 65'535;
inline constexpr std::uint64_t most_slots = std::numeric_limits<std::uint32_t>::max() - 1;

/// Of one node, in the order in which they were written.
using NamedAmounts = std::vector<std::pair<std::string, double>>;
inline constexpr Range amount_range{.low = 0, .high = Resources::most};
inline constexpr const char* meaning_of_resources =
    "of one node, in your units, e.g. { cpu = 20, mem_gb = 128 }; at most 16 kinds";
static_assert(most_resource_kinds == 16);
inline constexpr const char* meaning_of_slots =
    "most tasks at once on a node; left out, resources alone limit them";

/// [cluster] as one group.
struct OneGroupKeys {
  std::uint32_t nodes = 0;
  std::optional<std::uint32_t> slots_per_node;
  std::optional<NamedAmounts> resources;

  static constexpr auto fields() {
    using S = OneGroupKeys;
    return in_order(
        required(field("nodes", &S::nodes, "", "how many", Range{.low = 1, .high = most_nodes})),
        field("slots_per_node", &S::slots_per_node, "", meaning_of_slots,
              Range{.low = 1, .high = most_slots_per_node}),
        field("resources", &S::resources, "", meaning_of_resources, amount_range));
  }
};

struct GroupKeys {
  std::string name;
  std::uint32_t count = 0;
  std::optional<std::uint32_t> slots_per_node;
  double slowdown = 1;
  std::optional<NamedAmounts> resources;

  static constexpr auto fields() {
    using S = GroupKeys;
    return in_order(
        field("name", &S::name, "", "of the group; left out: group-0, group-1, ..."),
        required(
            field("count", &S::count, "", "how many nodes", Range{.low = 1, .high = most_nodes})),
        field("slots_per_node", &S::slots_per_node, "", meaning_of_slots,
              Range{.low = 1, .high = most_slots_per_node}),
        field("slowdown", &S::slowdown, "1", "a task takes that many times as long here",
              Range{.low = 1e-3, .high = most_slowdown}),
        field("resources", &S::resources, "", meaning_of_resources, amount_range));
  }
};

/// [cluster] as [[cluster.group]]s.
struct GroupsKeys {
  std::vector<GroupKeys> group;

  static constexpr auto fields() {
    return in_order(field("group", &GroupsKeys::group, "", "unlike nodes"));
  }
};

// Each reads its table, blames all that is wrong in it, and gives what it could make of it.
[[nodiscard]] Cluster read_cluster(ValueReader& reader, const Table& table);
/// folder: the config's, for parameters that name files.
[[nodiscard]] SchedulerSettings read_scheduler(ValueReader& reader, const Table& table,
                                               const std::filesystem::path& folder = {});
/// The keys that say something, parameters in tables under their parts' names: what
/// read_scheduler() would read as these settings.
[[nodiscard]] Table table_of(const SchedulerSettings& settings);
[[nodiscard]] WorkloadSettings read_workload_table(ValueReader& reader, const Table& table);

// A plain table: read, as a table again, and described. The keys of [jvm] are those of its model;
// described are those of all models.
template <Described S>
void read_plain(ValueReader& reader, const Value& value, const std::string& name, S& into) {
  read_value(reader, value, name, {}, into);
}
void read_plain(ValueReader& reader, const Value& value, const std::string& name,
                JvmSettings& into);
template <Described S>
[[nodiscard]] Table table_of(const S& plain) {
  return to_value(plain);
}
[[nodiscard]] Table table_of(const JvmSettings& jvm);
template <Described S>
[[nodiscard]] std::vector<ParameterInfo> infos_of_plain(const S& plain) {
  return infos_of(plain);
}
[[nodiscard]] std::vector<ParameterInfo> infos_of_plain(const JvmSettings& jvm);

/// What read_cluster() would read as that cluster.
[[nodiscard]] GroupsKeys keys_of(const Cluster& cluster);

/// nodes: of the cluster; 0: not known, for there are mistakes in it.
void check_faults(ValueReader& reader, const FaultSettings& faults, std::uint32_t nodes);

void check_speculation(ValueReader& reader, const SpeculationSettings& speculation);

/// Blames parts that can't be put together. Nothing is said of settings with other mistakes than
/// keys that nobody reads.
void check_composition(ValueReader& reader, const Table& document, const Settings& settings);

}  // namespace somnus
