// When jobs come: at their submit, or, of a job that follows another (closed loop), some time after
// that one has ended as the scheduler knows it. At equal times in order of job.
#pragma once

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/catalogue.hpp"

namespace somnus {

class Arrivals {
 public:
  struct Arrival {
    Time due;
    JobId job;
    friend bool operator>(const Arrival& a, const Arrival& b) {
      return a.due != b.due ? a.due > b.due : a.job > b.job;
    }
  };

  /// The catalogue must outlive it.
  explicit Arrivals(const Catalogue& catalogue);

  /// Of the next job that is known to come; never: none is.
  [[nodiscard]] Time next() const { return std::min(next_open(), next_follower()); }
  /// That job, once.
  Arrival pop();
  void job_ended(Time now, JobId job);
  /// Whether some job still waits for another to end.
  [[nodiscard]] bool waiting() const { return !followers_.empty(); }

 private:
  [[nodiscard]] Time next_open() const {
    return next_open_ < catalogue_.jobs.size() ? catalogue_.jobs[next_open_].submit : never;
  }
  [[nodiscard]] Time next_follower() const { return coming_.empty() ? never : coming_.top().due; }
  // next_open_ moves to the next job that follows none.
  void skip_followers();

  const Catalogue& catalogue_;
  std::size_t next_open_ = 0;
  std::unordered_map<JobId, std::vector<JobId>> followers_;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> coming_;  // followers
};

}  // namespace somnus
