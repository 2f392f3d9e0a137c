#include "workload/offered_load.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace somnus {
namespace {

double slot_seconds(const StageSpec& stage) {
  return std::accumulate(stage.durations.begin(), stage.durations.end(), stage.work);
}

}  // namespace

OfferedLoad offered_load(const WorkloadSpec& spec, const Cluster& cluster) {
  if (spec.jobs.empty()) return {};
  LoadMeter meter(cluster);
  std::vector<std::size_t> theirs;  // by the cluster's kind: the workload's
  for (const std::string& kind : cluster.resources) {
    const auto found = std::ranges::find(spec.resources, kind);
    theirs.push_back(static_cast<std::size_t>(found - spec.resources.begin()));
  }
  for (const JobSpec& job : spec.jobs) {
    for (const StageSpec& stage : job.stages) {
      Amounts demand{};
      for (std::size_t kind = 0; kind < theirs.size(); ++kind) {
        if (theirs[kind] < stage.demand.size()) demand[kind] = stage.demand[theirs[kind]];
      }
      meter.add(slot_seconds(stage), demand);
    }
  }
  return meter.load(spec.jobs.front().submit, spec.jobs.back().submit, spec.jobs.size());
}

}  // namespace somnus
