// Whom rank 0 tells where a job stands: the ranks that hold a task of it, or a place in a queue for
// one, and no other. Of ten thousand ranks that are few.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/message.hpp"

namespace somnus {

class Subscribers {
 public:
  /// Calls tell(rank) for each that has to hear of it. Of a job whose tasks have all ended nothing
  /// is kept.
  template <class Tell>
  void hear(const JobUpdate& news, Tell&& tell) {
    Topic& topic = topics_[news.job];
    topic.latest = news;
    for (const int rank : topic.ranks) tell(rank);
    if (news.unfinished == 0) topics_.erase(news.job);
  }
  /// From now on the rank hears of the job; returns what it does not know yet, as long as nothing
  /// else is called: none if it knows the latest, or nothing was ever told of the job.
  [[nodiscard]] const JobUpdate* join(int rank, JobId job);

 private:
  struct Topic {
    JobUpdate latest;
    std::vector<int> ranks;
    std::unordered_set<int> members;  // the same
  };
  std::unordered_map<JobId, Topic> topics_;
};

}  // namespace somnus
