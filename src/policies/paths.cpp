#include "policies/paths.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace somnus {

std::vector<StageId> parents_first(JobId id, JobsView jobs) {
  const Job& job = jobs[id];
  std::vector<std::uint32_t> waits_for;
  std::priority_queue<StageId, std::vector<StageId>, std::greater<>> ready;
  for (std::uint32_t at = 0; at < job.stages; ++at) {
    const StageId stage(job.first_stage.value() + at);
    waits_for.push_back(jobs[stage].parents);
    if (waits_for.back() == 0) ready.push(stage);
  }
  std::vector<StageId> order;
  order.reserve(job.stages);
  while (!ready.empty()) {
    const StageId stage = ready.top();
    ready.pop();
    order.push_back(stage);
    for (const StageId child : jobs.children_of(stage)) {
      if (--waits_for[child.index() - job.first_stage.index()] == 0) ready.push(child);
    }
  }
  return order;
}

std::vector<std::uint32_t> levels(JobId id, JobsView jobs) {
  const std::size_t first = jobs[id].first_stage.index();
  std::vector<std::uint32_t> levels(jobs[id].stages);
  for (const StageId stage : parents_first(id, jobs)) {
    for (const StageId child : jobs.children_of(stage)) {
      std::uint32_t& level = levels[child.index() - first];
      level = std::max(level, levels[stage.index() - first] + 1);
    }
  }
  return levels;
}

std::vector<FineWork> ways_left(JobId id, JobsView jobs) {
  const std::size_t first = jobs[id].first_stage.index();
  std::vector<FineWork> left(jobs[id].stages);
  const std::vector<StageId> order = parents_first(id, jobs);
  for (std::size_t at = order.size(); at-- > 0;) {
    const StageId stage = order[at];
    FineWork& way = left[stage.index() - first];
    for (const StageId child : jobs.children_of(stage)) {
      way = std::ranges::max(way, left[child.index() - first], {}, &FineWork::on_grid);
    }
    if (jobs.unfinished(stage) > 0) {
      way += FineWork::mean(jobs.slot_time(stage), jobs[stage].tasks);
    }
  }
  return left;
}

}  // namespace somnus
