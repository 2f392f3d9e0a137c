// The three tables that are more than a list of keys.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <limits>
#include <string>

#include "config/reading.hpp"
#include "config/settings.hpp"

namespace somnus {

inline constexpr double most_nodes = 1'000'000;
inline constexpr double most_slots_per_node = 65'535;  // messages number slots in 16 bits
inline constexpr std::uint64_t most_slots = std::numeric_limits<std::uint32_t>::max() - 1;
/// Where resources alone limit a node's tasks.
inline constexpr std::uint32_t slots_where_resources_rule = 1'024;

/// [cluster] as one group; beside these, the table `resources`.
struct OneGroupKeys {
  std::uint32_t nodes = 0;
  std::uint32_t slots_per_node = slots_where_resources_rule;

  static constexpr auto fields() {
    using S = OneGroupKeys;
    return std::tuple{
        field("nodes", &S::nodes, "", "how many", Range{.low = 1, .high = most_nodes}),
        field("slots_per_node", &S::slots_per_node, "",
              "most tasks at once on a node; may be left out where resources are given",
              Range{.low = 1, .high = most_slots_per_node})};
  }
};

/// One [[cluster.group]]; beside these, the table `resources`.
struct GroupKeys {
  std::string name;
  std::uint32_t count = 0;
  std::uint32_t slots_per_node = slots_where_resources_rule;
  double slowdown = 1;

  static constexpr auto fields() {
    using S = GroupKeys;
    return std::tuple{
        field("name", &S::name, "", "of the group; left out: group-0, group-1, ..."),
        field("count", &S::count, "", "how many nodes", Range{.low = 1, .high = most_nodes}),
        field("slots_per_node", &S::slots_per_node, "",
              "most tasks at once on a node; may be left out where resources are given",
              Range{.low = 1, .high = most_slots_per_node}),
        field("slowdown", &S::slowdown, "1", "a task takes that many times as long here",
              Range{.low = 1e-3, .high = 1e3})};
  }
};

// Each reads its table, blames all that is wrong in it, and gives what it could make of it.
[[nodiscard]] Cluster read_cluster(Reading& reading, const toml::table& table);
[[nodiscard]] SchedulerSettings read_scheduler(Reading& reading, const toml::table& table);
[[nodiscard]] WorkloadSettings read_workload_table(Reading& reading, const toml::table& table);

/// Blames parts that can't be put together. Nothing is said of settings with other mistakes.
void check_composition(Reading& reading, const toml::table& document, const Settings& settings);

}  // namespace somnus
