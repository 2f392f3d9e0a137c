#include "workload/least_time.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace somnus {

double least_time(const JobSpec& job) {
  std::unordered_map<std::uint32_t, std::size_t> place;
  for (std::size_t at = 0; at < job.stages.size(); ++at) place[job.stages[at].stage] = at;
  std::vector<std::vector<std::size_t>> children(job.stages.size());
  std::vector<std::size_t> waits(job.stages.size());
  std::vector<std::size_t> ready;
  for (std::size_t at = 0; at < job.stages.size(); ++at) {
    waits[at] = job.stages[at].parents.size();
    if (waits[at] == 0) ready.push_back(at);
    for (const std::uint32_t parent : job.stages[at].parents) {
      children[place.at(parent)].push_back(at);
    }
  }
  std::vector<double> starts(job.stages.size());
  double last = 0;
  while (!ready.empty()) {
    const std::size_t at = ready.back();
    ready.pop_back();
    const double end = starts[at] + std::ranges::max(job.stages[at].durations);
    last = std::max(last, end);
    for (const std::size_t child : children[at]) {
      starts[child] = std::max(starts[child], end);
      if (--waits[child] == 0) ready.push_back(child);
    }
  }
  return last;
}

}  // namespace somnus
