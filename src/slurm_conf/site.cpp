#include "slurm_conf/site.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/suggest.hpp"
#include "base/value.hpp"
#include "base/wrapped.hpp"
#include "config/tables.hpp"
#include "slurm_conf/keys.hpp"
#include "slurm_conf/report.hpp"
#include "slurm_conf/scheduler.hpp"
#include "slurm_conf/statements.hpp"

namespace somnus::slurm_conf {
namespace {

constexpr auto most_cpus = static_cast<std::uint32_t>(most_slots_per_node);

/// By canonical(key).
using Keys = std::map<std::string, const Setting*>;

/// Nodes of one line.
struct NodeLine {
  std::string name;  // as written
  Keys keys;
  std::vector<std::string> hosts;
  const Setting* at = nullptr;
  std::uint32_t cpus = 1;  // of each
  bool is_up = true;
};

struct Partition {
  std::string name;
  Keys keys;
  const Setting* at = nullptr;
};

class SiteReader {
 public:
  SiteReader(const TextFile& file, std::string_view partition)
      : report_{.mistakes = MistakeCollector(file.name()), .missing = {}},
        chosen_(partition),
        statements_(read_statements(file, report_.mistakes)) {}

  Checked<Site> operator()() {
    for (const Statement& statement : statements_) {
      if (statement.front().is("NodeName")) {
        read_nodes(statement);
      } else if (statement.front().is("PartitionName")) {
        read_partition(statement);
      } else if (statement.front().is("DownNodes")) {
        read_down(statement);
      } else {
        for (const Setting& setting : statement) read(setting);
      }
    }
    if (!report_.mistakes.any()) choose_partition();
    read_node_keys();
    scheduler_ = read_scheduler(settings_, threads_, shared_, report_);
    if (is_part_ && scheduler_.order == "priority") {
      report_.add({.line = 0,
                   .setting = "--partition",
                   .why = "a job's size is its share of these nodes, and usage is that of this "
                          "partition; Slurm counts all"});
    }
    if (report_.mistakes.any()) return tl::unexpected(in_order(std::move(report_.mistakes).take()));
    std::ranges::stable_sort(report_.missing, {}, &Missing::line);
    return Site{.config = config(), .missing = report_.missing, .others = others_};
  }

 private:
  // What a line says.

  void read(const Setting& setting) {
    if (matters_not(setting.key)) {
      ++others_;
    } else if (is_read_later(setting.key)) {
      settings_.add(setting);
    } else {
      report_.misses(setting, setting.is("Include")
                                  ? "the file is not read: put its lines in the place of this one"
                                  : "no config of Somnus says this");
    }
  }

  /// A line's settings, behind those of the lines before it that are named DEFAULT.
  static Keys with_defaults(const Statement& statement, Keys& defaults) {
    Keys all = defaults;
    for (std::size_t at = 1; at < statement.size(); ++at) {
      all[canonical(statement[at].key)] = &statement[at];
    }
    if (same_word(statement.front().value, "DEFAULT")) defaults = all;
    return all;
  }

  void read_nodes(const Statement& statement) {
    const Setting& name = statement.front();
    Keys keys = with_defaults(statement, defaults_of_nodes_);
    if (same_word(name.value, "DEFAULT")) return;
    auto hosts = hosts_of(name.value);
    if (!hosts) return report_.wrong(name, "nodes such as n[1-3,7]");
    if (hosts_.size() + hosts->size() > most_hosts) {
      return report_.wrong(name, fmt::format("at most {} nodes in all", most_hosts));
    }
    for (const std::string& host : *hosts) {
      if (!hosts_.insert(host).second) return report_.wrong(name, "each node once, not " + host);
    }
    nodes_.push_back(
        {.name = name.value, .keys = std::move(keys), .hosts = std::move(*hosts), .at = &name});
  }

  void read_partition(const Statement& statement) {
    const Setting& name = statement.front();
    Keys keys = with_defaults(statement, defaults_of_partitions_);
    if (same_word(name.value, "DEFAULT")) return;
    partitions_.push_back({.name = name.value, .keys = std::move(keys), .at = &name});
  }

  void read_down(const Statement& statement) {
    const Setting& list = statement.front();
    const auto hosts = hosts_of(list.value);
    if (!hosts) return report_.wrong(list, "nodes such as n[1-3,7]");
    if (down_.size() + hosts->size() > most_hosts) {
      return report_.wrong(list, fmt::format("at most {} nodes in all", most_hosts));
    }
    for (std::size_t at = 1; at < statement.size(); ++at) {
      if (!statement[at].is("State") || !is_down(statement[at].value)) continue;
      for (const std::string& host : *hosts) down_.emplace(host, &list);
    }
  }

  static Mistakes in_order(const Mistakes& mistakes) {
    std::vector<Mistake> list = mistakes.list();
    std::ranges::stable_sort(list, {}, [](const Mistake& one) { return one.location.line; });
    Mistakes sorted;
    for (Mistake& one : list) sorted.add(std::move(one));
    return sorted;
  }

  // What they say together.

  void choose_partition() {
    std::vector<std::string> names;
    for (const Partition& one : partitions_) names.push_back(one.name);
    if (partitions_.empty() && chosen_.empty()) return;
    if (chosen_.empty() && partitions_.size() > 1) return share_nodes(names);
    const auto found = chosen_.empty() ? partitions_.begin()
                                       : std::ranges::find(partitions_, chosen_, &Partition::name);
    if (found == partitions_.end()) {
      report_.mistakes.add(0, 0, "--partition",
                           fmt::format("the file has no partition {}", in_quotes(chosen_)),
                           suggest(chosen_, names));
      return;
    }
    chosen_ = found->name;
    list_what_is_missing(*found);
    const auto nodes = found->keys.find("nodes");
    if (nodes == found->keys.end()) return report_.wrong(*found->at, "Nodes on its line");
    keep_nodes(*nodes->second);
    std::size_t kept = 0;
    for (const NodeLine& line : nodes_) kept += line.hosts.size();
    is_part_ = kept < hosts_.size();
  }

  void list_what_is_missing(const Partition& partition) {
    for (const auto& [key, setting] : partition.keys) {
      if (const char* const why = why_missing_of_partition(*setting)) report_.misses(*setting, why);
      const auto limit_s = setting->is("MaxTime") ? seconds_of(setting->value) : std::nullopt;
      if (limit_s) limits_.push_back(fmt::format("{} = {}", in_quotes(partition.name), *limit_s));
    }
  }

  /// The jobs of all of them wait for the same nodes.
  void share_nodes(const std::vector<std::string>& names) {
    for (const Partition& one : partitions_) {
      if (!one.keys.contains("nodes")) return report_.wrong(*one.at, "Nodes on its line");
    }
    const auto nodes = [&](const Partition& one) { return nodes_of(*one.keys.at("nodes")); };
    const Partition& first = partitions_.front();
    for (const Partition& one : partitions_) {
      if (nodes(one) == nodes(first)) continue;
      report_.mistakes.add(one.at->line, one.at->column, one.at->key,
                           fmt::format("expected one partition, or several that have the same "
                                       "nodes, found {} and {}: all nodes of a config are for all "
                                       "its jobs",
                                       in_quotes(first.name), in_quotes(one.name)),
                           fmt::format("choose one by --partition: {}", fmt::join(names, ", ")));
      return;
    }
    for (const Partition& one : partitions_) {
      list_what_is_missing(one);
      const auto number = [&](const char* key) -> std::uint32_t {
        const auto found = one.keys.find(key);
        if (found == one.keys.end()) return 1;
        return static_cast<std::uint32_t>(report_.number(*found->second, 0, 65533));
      };
      const auto mode = one.keys.find("preemptmode");
      shared_.push_back({.name = one.name,
                         .tier = number("prioritytier"),
                         .factor = number("priorityjobfactor"),
                         .preempt_mode = mode == one.keys.end() ? "" : mode->second->value});
    }
    keep_nodes(*first.keys.at("nodes"));
  }

  /// Also those that are on no line.
  [[nodiscard]] std::set<std::string> nodes_of(const Setting& list) const {
    if (same_word(list.value, "ALL")) return {hosts_.begin(), hosts_.end()};
    const auto hosts = hosts_of(list.value);
    return hosts ? std::set(hosts->begin(), hosts->end()) : std::set<std::string>{list.value};
  }

  void keep_nodes(const Setting& list) {
    if (same_word(list.value, "ALL")) return;
    const auto hosts = hosts_of(list.value);
    if (!hosts) return report_.wrong(list, "nodes such as n[1-3,7]");
    std::unordered_map<std::string, bool> wanted;  // and whether a line has it
    for (const std::string& host : *hosts) wanted[host] = false;
    for (NodeLine& line : nodes_) {
      const std::size_t all = line.hosts.size();
      std::erase_if(line.hosts, [&](const std::string& host) {
        const auto found = wanted.find(host);
        if (found != wanted.end()) found->second = true;
        return found == wanted.end();
      });
      if (line.hosts.size() < all)
        line.name += fmt::format(" of {}", chosen_.empty() ? partitions_.front().name : chosen_);
    }
    std::erase_if(nodes_, [](const NodeLine& line) { return line.hosts.empty(); });
    const auto unknown = std::ranges::count_if(wanted, [](const auto& one) { return !one.second; });
    if (unknown > 0) {
      report_.misses(list, fmt::format("{} of these are on no NodeName line: left out", unknown));
    }
  }

  void read_node_keys() {
    for (NodeLine& line : nodes_) {
      line.cpus = cpus_of(line);
      threads_ = threads_ || cpus_of(line, "ThreadsPerCore") > 1;
      for (const auto& [key, setting] : line.keys) {
        if (const char* const why = why_missing_of_node(setting->key)) {
          report_.misses(*setting, why);
        }
      }
      const auto state = line.keys.find("state");
      line.is_up = state == line.keys.end() || !is_down(state->second->value);
      if (!line.is_up) report_.misses(*state->second, "these nodes are left out");
    }
    std::set<const Setting*> lists;  // with nodes of these
    for (NodeLine& line : nodes_) {
      const auto is_out = [&](const std::string& host) {
        const auto found = down_.find(host);
        return found != down_.end() && (lists.insert(found->second), true);
      };
      if (std::erase_if(line.hosts, is_out) > 0) line.name += " without DownNodes";
    }
    for (const Setting* const list : lists) report_.misses(*list, "these nodes are left out");
    std::erase_if(nodes_, [](const NodeLine& line) { return !line.is_up || line.hosts.empty(); });
    std::uint64_t slots = 0;
    for (const NodeLine& line : nodes_) slots += std::uint64_t{line.cpus} * line.hosts.size();
    if (slots > most_slots) {
      report_.mistakes.add(
          0, 0, "NodeName",
          fmt::format("expected at most {} CPUs in all, found {}", most_slots, slots));
    }
    if (!nodes_.empty() || report_.mistakes.any()) return;
    report_.mistakes.add(0, 0, "NodeName", "expected nodes that are up, found none",
                         "nodes of an included file or of a NodeSet are not known here");
  }

  static bool is_down(std::string_view state) {
    static constexpr auto down =
        std::to_array<std::string_view>({"DOWN", "DRAIN", "DRAINED", "FAIL", "FAILING", "FUTURE"});
    return std::ranges::any_of(down, [&](std::string_view one) { return same_word(one, state); });
  }

  /// 1 where the line does not say it.
  std::uint32_t cpus_of(const NodeLine& line, const char* key) {
    const auto found = line.keys.find(canonical(key));
    if (found == line.keys.end()) return 1;
    return static_cast<std::uint32_t>(report_.number(*found->second, 1, most_cpus));
  }
  std::uint32_t cpus_of(const NodeLine& line) {
    if (line.keys.contains("cpus")) return cpus_of(line, "CPUs");
    if (line.keys.contains("procs")) return cpus_of(line, "Procs");
    std::uint64_t product = 1;
    for (const char* const key :
         {"Boards", "Sockets", "SocketsPerBoard", "CoresPerSocket", "ThreadsPerCore"}) {
      product = std::min<std::uint64_t>(product * cpus_of(line, key), most_cpus + 1);
    }
    if (product <= most_cpus) return static_cast<std::uint32_t>(product);
    report_.mistakes.add(line.at->line, line.at->column, line.name,
                         fmt::format("expected at most {} CPUs a node", most_cpus));
    return 1;
  }

  // The config.

  static std::string as_comment(const Missing& one) {
    const std::string words = one.line == 0
                                  ? fmt::format("{}: {}", one.setting, one.why)
                                  : fmt::format("{}: {}: {}", one.line, one.setting, one.why);
    std::string text = wrapped(words, 5, 76);
    for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
      text.insert(at + 1, "#");
    }
    return "#   " + text;
  }

  std::string config() {
    std::string text;
    const auto put = [&]<class... Args>(fmt::format_string<Args...> form, Args&&... args) {
      text += fmt::format(form, std::forward<Args>(args)...) + "\n";
    };
    put("# Made of a slurm.conf by `somnus config --from-slurm`{}.",
        chosen_.empty() ? "" : fmt::format(", of partition {}", chosen_));
    if (!report_.missing.empty()) put("# Not carried over:");
    for (const Missing& one : report_.missing) put("{}", as_comment(one));
    for (const NodeLine& line : nodes_) {
      put("\n[[cluster.group]]\nname = {}\ncount = {}\nslots_per_node = {}", in_quotes(line.name),
          line.hosts.size(), line.cpus);
    }
    put("\n[scheduler]\norder = \"{}\"\nplacement = \"any-free\"\nbackfill = \"{}\"\n"
        "cycle_s = 1  # Slurm's main loop",
        scheduler_.order, scheduler_.backfill);
    const bool names_partitions = std::ranges::any_of(
        scheduler_.keys, [](const auto& one) { return one.second.starts_with("{"); });
    if (names_partitions) put("# Leave out partitions that no job of the file below is in:");
    for (const auto& [key, value] : scheduler_.keys) put("{} = {}", key, value);
    if (scheduler_.grace_s > 0) put("\n[limits]\ngrace_s = {}", scheduler_.grace_s);
    put("\n# Its jobs:\n"
        "#   sacct --allusers --allocations --duplicates --parsable2 \\\n"
        "#     --starttime 2026-01-01 --endtime 2026-02-01{} \\\n"
        "#     --format JobID,User,Account,QOS,Partition,Submit,Eligible,Start,End,"
        "ElapsedRaw,AllocCPUS,TimelimitRaw,State \\\n"
        "#     > jobs.sacct\n"
        "# What Slurm itself costs a job: slurm/measure_costs.py on a login node.\n"
        "[workload]\nfile = \"jobs.sacct\"\nformat = \"sacct\"",
        chosen_.empty() ? "" : " --partition " + chosen_);
    if (!limits_.empty()) put("partition_limit_s = {{ {} }}", fmt::join(limits_, ", "));
    return text;
  }

  Report report_;
  std::string chosen_;  // partition
  std::vector<Statement> statements_;
  Settings settings_;
  std::size_t others_ = 0;
  Keys defaults_of_nodes_;
  Keys defaults_of_partitions_;
  std::vector<NodeLine> nodes_;
  std::unordered_set<std::string> hosts_;                 // of all lines
  std::unordered_map<std::string, const Setting*> down_;  // and the list that says so
  std::vector<Partition> partitions_;
  std::vector<SharedPartition> shared_;  // where there are several of the same nodes
  std::vector<std::string> limits_;      // MaxTime by partition, as TOML
  bool is_part_ = false;                 // the partition has not all nodes
  bool threads_ = false;                 // some core has several CPUs
  Scheduler scheduler_;
};

}  // namespace

Checked<Site> site_of(const TextFile& file, std::string_view partition) {
  return SiteReader(file, partition)();
}

}  // namespace somnus::slurm_conf
