// The random streams of jobs' managers: one each, so that what one draws changes nothing for
// others.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/ids.hpp"
#include "base/random.hpp"

namespace somnus {

class JobStreams {
 public:
  explicit JobStreams(std::uint64_t seed) : seed_(seed) {}

  [[nodiscard]] RandomStream& of(JobId job) {
    return streams_.try_emplace(job, seed_, "job manager", job.value()).first->second;
  }
  /// The job has ended.
  void forget(JobId job) { streams_.erase(job); }

 private:
  std::uint64_t seed_;
  std::unordered_map<JobId, RandomStream> streams_;
};

}  // namespace somnus
