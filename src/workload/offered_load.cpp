#include "workload/offered_load.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace somnus {
namespace {

double slot_seconds(const StageSpec& stage) {
  return std::accumulate(stage.durations.begin(), stage.durations.end(), stage.work);
}

/// Of one kind: what the cluster does in a second, and what a stage asks.
struct Kind {
  std::string name;
  double capacity = 0;
  std::size_t demand = 0;  // index in the workload's resources
  bool slots = false;
  double work = 0;
};

std::vector<Kind> kinds_of(const WorkloadSpec& spec, const Cluster& cluster) {
  std::vector<Kind> kinds;
  if (cluster.slot_count() > 0) kinds.push_back({.name = "slots", .slots = true});
  for (std::size_t index = 0; index < cluster.resources.size(); ++index) {
    const auto theirs = std::ranges::find(spec.resources, cluster.resources[index]);
    if (theirs == spec.resources.end()) continue;
    Kind kind{.name = cluster.resources[index],
              .demand = static_cast<std::size_t>(theirs - spec.resources.begin())};
    for (const NodeGroup& group : cluster.groups) {
      kind.capacity += group.count * group.capacity.amount(index) / group.slowdown;
    }
    kinds.push_back(std::move(kind));
  }
  for (Kind& kind : kinds) {
    if (!kind.slots) continue;
    for (const NodeGroup& group : cluster.groups) {
      kind.capacity += static_cast<double>(group.count) * group.slots / group.slowdown;
    }
  }
  return kinds;
}

}  // namespace

OfferedLoad offered_load(const WorkloadSpec& spec, const Cluster& cluster) {
  std::vector<Kind> kinds = kinds_of(spec, cluster);
  for (const JobSpec& job : spec.jobs) {
    for (const StageSpec& stage : job.stages) {
      const double work = slot_seconds(stage);
      for (Kind& kind : kinds) {
        if (kind.slots) {
          kind.work += work;
        } else if (kind.demand < stage.demand.size()) {
          kind.work += work * stage.demand[kind.demand];
        }
      }
    }
  }
  OfferedLoad load;
  if (spec.jobs.empty()) return load;
  const double jobs = static_cast<double>(spec.jobs.size());
  const double span_s = spec.jobs.back().submit - spec.jobs.front().submit;
  for (const Kind& kind : kinds) {
    if (kind.work <= 0) continue;
    const double whole_s = span_s * jobs / (jobs - 1);  // one mean interval more than there are
    const bool at_once = spec.jobs.size() == 1 || span_s <= 0;
    const double share = at_once || kind.capacity <= 0 ? std::numeric_limits<double>::infinity()
                                                       : kind.work / whole_s / kind.capacity;
    if (share > load.share) load = {.share = share, .kind = kind.name};
  }
  return load;
}

}  // namespace somnus
