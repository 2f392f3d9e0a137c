#include "runtime/subscribers.hpp"

namespace somnus {

const JobUpdate* Subscribers::subscribe(int rank, JobId job) {
  if (topics_.empty()) return nullptr;
  const auto found = topics_.find(job);
  if (found == topics_.end() || !found->second.members.insert(rank).second) return nullptr;
  found->second.ranks.push_back(rank);
  return &found->second.latest;
}

}  // namespace somnus
