#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "config/tables.hpp"

namespace somnus {
namespace {

constexpr const char* cluster_root = "cluster";
using Names = std::vector<std::string>;

Names names_in(const std::optional<NamedAmounts>& amounts) {
  Names names;
  if (!amounts) return names;
  for (const auto& [name, amount] : *amounts) names.push_back(name);
  return names;
}

std::string listed(const Names& kinds) {
  return kinds.empty() ? "none" : fmt::format("{}", fmt::join(kinds, ", "));
}

bool check_names(ValueReader& reader, const Names& names, const std::string& key) {
  if (names.empty() || names.size() > most_resource_kinds) {
    reader.add_error({.path = key,
                      .what = fmt::format("expected 1 to {} kinds of resources, found {}",
                                          most_resource_kinds, names.size())});
    return false;
  }
  bool fine = true;
  for (const std::string& name : names) {
    if (is_bare_key(name)) continue;
    fine = false;
    reader.add_error({.path = joined(key, name),
                      .what = "expected a name of letters, digits, _ and -",
                      .at = ValueError::At::key});
  }
  return fine;
}

/// The groups of one cluster name the same kinds; the first says which.
class Kinds {
 public:
  explicit Kinds(ValueReader& reader) : reader_(reader) {}

  Resources take(const std::optional<NamedAmounts>& amounts, const std::string& group) {
    const std::string key = joined(group, "resources");
    const Names given = names_in(amounts);
    if (!names_) {
      if (amounts && !check_names(reader_, given, key)) return {};
      names_ = given;
    } else if (!std::is_permutation(given.begin(), given.end(), names_->begin(), names_->end())) {
      reader_.add_error({.path = key,
                         .what = fmt::format("expected the first group's kinds ({}), found {}",
                                             listed(*names_), listed(given))});
      return {};
    }
    Resources capacity;
    for (std::size_t at = 0; at < given.size(); ++at) {
      const auto kind = std::ranges::find(*names_, given[at]) - names_->begin();
      capacity.set(static_cast<std::size_t>(kind), (*amounts)[at].second);
    }
    return capacity;
  }

  [[nodiscard]] Names taken() { return names_.value_or(Names()); }

 private:
  ValueReader& reader_;
  std::optional<Names> names_;
};

bool all_known(const Table& group) {
  const std::vector<std::string> known = names_of<GroupKeys>();
  return std::ranges::all_of(group, [&](const Table::Entry& entry) {
    return std::ranges::find(known, entry.first) != known.end();
  });
}

void require_slots(ValueReader& reader, const Table& table, const std::string& key) {
  if (table.contains("slots_per_node") || table.contains("resources")) return;
  reader.add_error({.path = key, .what = "expected slots_per_node or resources, found neither"});
}

NodeGroup read_one_group(ValueReader& reader, const Table& table, Kinds& kinds) {
  OneGroupKeys keys;
  const bool all_known = reader.refuse_unknown(table, cluster_root, names_of<OneGroupKeys>());
  read_fields(reader, table, cluster_root, keys);
  if (all_known && !table.contains("nodes")) {
    reader.add_error({.path = cluster_root,
                      .what = "expected nodes, found none",
                      .hint = "unlike nodes go into [[cluster.group]]"});
  }
  if (all_known) require_slots(reader, table, cluster_root);
  NodeGroup group{.count = keys.nodes, .slots = keys.slots_per_node.value_or(0)};
  if (!reader.blamed("cluster.resources"))
    group.capacity = kinds.take(keys.resources, cluster_root);
  return group;
}

void check_names(ValueReader& reader, const std::vector<NodeGroup>& groups) {
  std::unordered_map<std::string_view, std::size_t> first_of;
  for (std::size_t index = 0; index < groups.size(); ++index) {
    const auto [first, is_new] = first_of.try_emplace(groups[index].name, index);
    if (is_new) continue;
    reader.add_error({.path = fmt::format("{}.group[{}].name", cluster_root, index),
                      .what = fmt::format("{} is the name of group[{}] already",
                                          in_quotes(groups[index].name), first->second),
                      .where = fmt::format("{}.group[{}]", cluster_root, index)});
  }
}

void check_slots(ValueReader& reader, const std::vector<NodeGroup>& groups) {
  const bool slots = groups.front().slots > 0;
  for (std::size_t index = 1; index < groups.size(); ++index) {
    if ((groups[index].slots > 0) == slots) continue;
    const std::string key = fmt::format("{}.group[{}]", cluster_root, index);
    if (reader.blamed(key) || reader.blamed(joined(key, "slots_per_node"))) continue;
    reader.add_error({.path = key,
                      .what = slots
                                  ? "expected slots_per_node, as the first group has it, found none"
                                  : "expected no slots_per_node, as the first group has none",
                      .hint = "resources limit the tasks of all nodes, or slots do beside them"});
  }
}

std::vector<NodeGroup> read_groups(ValueReader& reader, const Table& table, Kinds& kinds) {
  for (const auto& [name, value] : table) {
    if (name == "group") continue;
    reader.add_error({.path = joined(cluster_root, name),
                      .what = "expected either nodes of one kind or [[cluster.group]], found both",
                      .at = ValueError::At::key});
  }
  GroupsKeys keys;
  read_fields(reader, table, cluster_root, keys);
  const List* const list = table.at("group").list();
  if (list != nullptr && list->empty()) {
    reader.add_error({.path = "cluster.group", .what = "expected at least one group, found none"});
  }
  std::vector<NodeGroup> groups;
  for (std::size_t index = 0; index < keys.group.size(); ++index) {
    const GroupKeys& given = keys.group[index];
    const std::string key = fmt::format("{}.group[{}]", cluster_root, index);
    const Table* const own = (*list)[index].table();
    if (own != nullptr && all_known(*own)) require_slots(reader, *own, key);
    const bool is_named = own != nullptr && own->contains("name");
    NodeGroup group{.name = is_named ? given.name : fmt::format("group-{}", index),
                    .count = given.count,
                    .slots = given.slots_per_node.value_or(0)};
    group.slowdown = given.slowdown;
    if (!reader.blamed(joined(key, "resources"))) group.capacity = kinds.take(given.resources, key);
    groups.push_back(std::move(group));
  }
  check_names(reader, groups);
  if (!reader.any() && !groups.empty()) check_slots(reader, groups);
  return groups;
}

void check_totals(ValueReader& reader, const Cluster& cluster) {
  std::uint64_t nodes = 0;
  for (const NodeGroup& group : cluster.groups) nodes += group.count;
  if (nodes > static_cast<std::uint64_t>(most_nodes)) {
    reader.add_error(
        {.path = cluster_root,
         .what = fmt::format("expected at most {} nodes in all, found {}", most_nodes, nodes)});
  }
  if (cluster.slot_count() > most_slots) {
    reader.add_error({.path = cluster_root,
                      .what = fmt::format("expected at most {} slots in all, found {}", most_slots,
                                          cluster.slot_count())});
  }
}

}  // namespace

Cluster read_cluster(ValueReader& reader, const Table& table) {
  Cluster cluster;
  Kinds kinds(reader);
  if (table.contains("group")) {
    cluster.groups = read_groups(reader, table, kinds);
  } else {
    cluster.groups.push_back(read_one_group(reader, table, kinds));
  }
  cluster.resources = kinds.taken();
  check_totals(reader, cluster);
  return cluster;
}

GroupsKeys keys_of(const Cluster& cluster) {
  GroupsKeys keys;
  for (const NodeGroup& group : cluster.groups) {
    GroupKeys one{.name = group.name, .count = group.count, .slowdown = group.slowdown};
    if (group.slots > 0) one.slots_per_node = group.slots;
    if (!cluster.resources.empty()) one.resources.emplace();
    for (std::size_t kind = 0; kind < cluster.resources.size(); ++kind) {
      one.resources->emplace_back(cluster.resources[kind], group.capacity.amount(kind));
    }
    keys.group.push_back(std::move(one));
  }
  return keys;
}

}  // namespace somnus
