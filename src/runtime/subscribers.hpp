// Which ranks get a job's updates: those that hold a task of it, or a reservation for one, and no
// other. Of ten thousand ranks these are few.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/message.hpp"

namespace somnus {

class Subscribers {
 public:
  /// Calls send(rank) for each subscriber of the job. Nothing is kept of a job whose tasks have all
  /// ended.
  template <class Send>
  void publish(const JobUpdate& update, Send&& send) {
    Topic& topic = topics_[update.job];
    topic.latest = update;
    for (const int rank : topic.ranks) send(rank);
    if (update.unfinished == 0) topics_.erase(update.job);
  }
  /// From now on the rank gets the job's updates. Returns the latest one if the rank has not got
  /// it, valid until the next call; nullptr: it has, or there is none.
  [[nodiscard]] const JobUpdate* subscribe(int rank, JobId job);

 private:
  struct Topic {
    JobUpdate latest;
    std::vector<int> ranks;
    std::unordered_set<int> members;  // the same
  };
  std::unordered_map<JobId, Topic> topics_;
};

}  // namespace somnus
