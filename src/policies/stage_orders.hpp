// Orders of the stages inside a job: each combines with any order of jobs. A key for each stage,
// the least first; ties go to the stage numbered first.
#pragma once

#include <algorithm>
#include <vector>

#include "policies/paths.hpp"
#include "scheduler/order.hpp"

namespace somnus {

/// Calls key(place in the job) once for each stage.
template <class KeyOf>
[[nodiscard]] std::vector<StageId> stages_by(JobId job, JobsView jobs, KeyOf&& key) {
  std::vector<std::pair<decltype(key(0U)), StageId>> keyed;
  for (std::uint32_t at = 0; at < jobs[job].stages; ++at) {
    keyed.emplace_back(key(at), StageId(jobs[job].first_stage.value() + at));
  }
  std::ranges::sort(keyed);
  std::vector<StageId> stages;
  for (const auto& [of, stage] : keyed) stages.push_back(stage);
  return stages;
}

/// Breadth-first by level, as Tez does: a stage's level is the longest way to it, in stages
/// (policies.md 6.1). Numbers are no levels: many DAGs name a parent after its child.
class BreadthFirst final : public StageOrder {
 public:
  [[nodiscard]] std::vector<StageId> stages_of(JobId job, JobsView jobs) const override {
    const std::vector<std::uint32_t> by = levels(job, jobs);
    return stages_by(job, jobs, [&](std::uint32_t at) { return by[at]; });
  }
};

/// The stage first that the longest way to the job's end begins with, by estimates (policies.md
/// 6.3).
class CriticalPath final : public StageOrder {
 public:
  [[nodiscard]] std::vector<StageId> stages_of(JobId job, JobsView jobs) const override {
    const std::vector<FineWork> left = ways_left(job, jobs);
    return stages_by(job, jobs, [&](std::uint32_t at) { return -left[at].on_grid(); });
  }
};

}  // namespace somnus
