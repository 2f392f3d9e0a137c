// The random streams of jobs' managers: one each, so that what one draws changes nothing for
// others.
#pragma once

#include <unordered_map>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "scheduler/policy_seed.hpp"

namespace somnus {

class JobStreams {
 public:
  explicit JobStreams(PolicySeed seed) : seed_(seed) {}

  [[nodiscard]] RandomStream& of(JobId job) {
    const auto found = streams_.find(job);
    if (found != streams_.end()) return found->second;
    return streams_.emplace(job, seed_.job_manager(job)).first->second;
  }
  /// The job has ended.
  void forget(JobId job) { streams_.erase(job); }

 private:
  PolicySeed seed_;
  std::unordered_map<JobId, RandomStream> streams_;
};

}  // namespace somnus
