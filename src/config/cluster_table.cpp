#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "config/tables.hpp"
#include "config/toml_text.hpp"

namespace somnus {
namespace {

constexpr const char* path = "cluster";

/// The groups of one cluster name the same kinds; the first says which.
class Kinds {
 public:
  explicit Kinds(Reading& reading) : reading_(reading) {}

  /// `table` is the group or, with one group, [cluster] itself.
  Resources read(const toml::table& table, const std::string& group) {
    const std::string key = joined(group, "resources");
    const toml::node* const node = table.get("resources");
    const toml::table* const amounts = node == nullptr ? nullptr : reading_.table(*node, key);
    if (node != nullptr && amounts == nullptr) return {};
    const std::vector<std::string> given = amounts == nullptr ? names({}) : names_in(*amounts);
    if (!names_) {
      if (amounts != nullptr && !check_names(*amounts, key)) return {};
      names_ = given;
    } else if (!std::is_permutation(given.begin(), given.end(), names_->begin(), names_->end())) {
      const toml::source_region& where = node == nullptr ? table.source() : node->source();
      reading_.blame(where, key,
                     fmt::format("expected the first group's kinds ({}), found {}", listed(*names_),
                                 listed(given)));
      return {};
    }
    Resources capacity;
    for (std::size_t kind = 0; kind < names_->size(); ++kind) {
      const std::string& name = (*names_)[kind];
      const Range range{.low = 0, .high = Resources::most};
      const auto amount = reading_.number(*amounts->get(name), joined(key, name), range, "");
      if (amount) capacity.set(kind, *amount);
    }
    return capacity;
  }

  [[nodiscard]] std::vector<std::string> taken() { return names_.value_or(names({})); }

 private:
  using names = std::vector<std::string>;

  static names names_in(const toml::table& amounts) {
    names found;
    for (const Entry& entry : in_written_order(amounts)) found.emplace_back(entry.key->str());
    return found;
  }

  static std::string listed(const names& kinds) {
    return kinds.empty() ? "none" : fmt::format("{}", fmt::join(kinds, ", "));
  }

  bool check_names(const toml::table& amounts, const std::string& key) {
    const std::size_t count = amounts.size();
    if (count == 0 || count > Resources::most_kinds) {
      reading_.blame(amounts.source(), key,
                     fmt::format("expected 1 to {} kinds of resources, found {}",
                                 Resources::most_kinds, count));
      return false;
    }
    bool fine = true;
    for (const Entry& entry : in_written_order(amounts)) {
      if (is_bare_key(entry.key->str())) continue;
      fine = false;
      reading_.blame(entry.key->source(), key,
                     fmt::format("expected names of letters, digits, _ and -, found {}",
                                 in_quotes(entry.key->str())));
    }
    return fine;
  }

  Reading& reading_;
  std::optional<names> names_;
};

void require_slots(Reading& reading, const toml::table& table, const std::string& key) {
  if (table.contains("slots_per_node") || table.contains("resources")) return;
  reading.blame(table.source(), key, "expected slots_per_node or resources, found neither");
}

NodeGroup read_one_group(Reading& reading, const toml::table& table, Kinds& kinds) {
  std::vector<std::string> known = names_of<OneGroupKeys>();
  known.insert(known.end(), {"resources", "group"});
  const bool all_known = reading.refuse_unknown(table, path, known);
  OneGroupKeys keys;
  read_fields(reading, table, path, keys);
  if (all_known && !table.contains("nodes")) {
    reading.blame(table.source(), path, "expected nodes, found none",
                  "unlike nodes go into [[cluster.group]]");
  }
  if (all_known) require_slots(reading, table, path);
  NodeGroup group{.count = keys.nodes, .slots = keys.slots_per_node};
  group.capacity = kinds.read(table, path);
  return group;
}

NodeGroup read_group(Reading& reading, const toml::table& table, std::size_t index, Kinds& kinds) {
  const std::string key = fmt::format("{}.group[{}]", path, index);
  std::vector<std::string> known = names_of<GroupKeys>();
  known.emplace_back("resources");
  const bool all_known = reading.refuse_unknown(table, key, known);
  GroupKeys keys{.name = fmt::format("group-{}", index)};
  read_fields(reading, table, key, keys);
  if (all_known && !table.contains("count")) {
    reading.blame(table.source(), key, "expected count, found none");
  }
  if (all_known) require_slots(reading, table, key);
  NodeGroup group{.name = keys.name, .count = keys.count, .slots = keys.slots_per_node};
  group.slowdown = keys.slowdown;
  group.capacity = kinds.read(table, key);
  return group;
}

void check_names(Reading& reading, const std::vector<const toml::table*>& tables,
                 const std::vector<NodeGroup>& groups) {
  for (std::size_t index = 0; index < groups.size(); ++index) {
    const std::string& name = groups[index].name;
    const auto same = [&](const NodeGroup& other) { return other.name == name; };
    const auto first = std::find_if(groups.begin(), groups.end(), same) - groups.begin();
    if (static_cast<std::size_t>(first) == index) continue;
    reading.blame(tables[index]->source(), fmt::format("{}.group[{}].name", path, index),
                  fmt::format("{} is the name of group[{}] already", in_quotes(name), first));
  }
}

void check_totals(Reading& reading, const toml::table& table, const Cluster& cluster) {
  std::uint64_t nodes = 0;
  for (const NodeGroup& group : cluster.groups) nodes += group.count;
  if (nodes > static_cast<std::uint64_t>(most_nodes)) {
    reading.blame(table.source(), path,
                  fmt::format("expected at most {} nodes in all, found {}", most_nodes, nodes));
  }
  if (cluster.slot_count() > most_slots) {
    reading.blame(table.source(), path,
                  fmt::format("expected at most {} slots in all, found {}", most_slots,
                              cluster.slot_count()));
  }
}

}  // namespace

Cluster read_cluster(Reading& reading, const toml::table& table) {
  Cluster cluster;
  Kinds kinds(reading);
  if (const toml::node* const node = table.get("group")) {
    for (const Entry& entry : in_written_order(table)) {
      if (entry.key->str() == "group") continue;
      reading.blame(entry.key->source(), joined(path, entry.key->str()),
                    "expected either nodes of one kind or [[cluster.group]], found both");
    }
    const auto tables = reading.tables(*node, "cluster.group");
    for (std::size_t index = 0; index < tables.size(); ++index) {
      cluster.groups.push_back(read_group(reading, *tables[index], index, kinds));
    }
    if (const toml::array* list = node->as_array(); list != nullptr && list->empty()) {
      reading.blame(node->source(), "cluster.group", "expected at least one group, found none");
    }
    check_names(reading, tables, cluster.groups);
  } else {
    cluster.groups.push_back(read_one_group(reading, table, kinds));
  }
  cluster.resources = kinds.taken();
  check_totals(reading, table, cluster);
  return cluster;
}

}  // namespace somnus
