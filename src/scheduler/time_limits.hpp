// When jobs have had their time: a job with a limit may run for so long, and for a grace beyond.
// Then it fails, and what runs of it is killed. The time counts from the launch of its first task;
// anew where all that ran of it has been lost or has failed, as of a job that is queued again.
#pragma once

#include <vector>

#include "base/ids.hpp"
#include "base/indexed_heap.hpp"
#include "base/time.hpp"
#include "model/job_table.hpp"

namespace somnus {

class TimeLimits {
 public:
  /// The catalogue must outlive it.
  TimeLimits(const Catalogue& catalogue, Duration grace)
      : catalogue_(catalogue), any_(!catalogue.limits.empty()), grace_(grace) {}

  /// Whether any job has one. Where none has, nothing else has to be called.
  [[nodiscard]] bool any() const { return any_; }

  /// Whether the task that has just been launched begins the job's time.
  [[nodiscard]] static bool begins(JobId job, const JobTable& jobs) {
    return jobs.running(job) == 1 && has_done_nothing(job, jobs);
  }

  /// A task of the job, which the table knows of.
  void launched(Time now, JobId job, const JobTable& jobs) {
    const auto limit = catalogue_.limit(job);
    if (!limit || !begins(job, jobs)) return;
    const Duration allowed = *limit + grace_;
    ends_.put(job.value(), allowed < never - now ? now + allowed : never);
  }
  /// The same.
  void task_ended(JobId job, const JobTable& jobs) {
    const bool is_queued_again = jobs.running(job) == 0 && has_done_nothing(job, jobs);
    if (is_queued_again || jobs.ended(job)) ends_.erase(job.value());
  }

  /// When the next job has had its time; never: none has one that runs.
  [[nodiscard]] Time wakes_at() const { return ends_.empty() ? never : ends_.top().key; }
  /// Those that have had it by then, the earliest first.
  [[nodiscard]] std::vector<JobId> take_due(Time now) {
    std::vector<JobId> due;
    while (wakes_at() <= now) {
      due.emplace_back(ends_.top().index);
      ends_.erase(due.back().value());
    }
    return due;
  }

 private:
  [[nodiscard]] static bool has_done_nothing(JobId job, const JobTable& jobs) {
    return jobs.unfinished(job) == jobs.catalogue()[job].tasks;
  }

  const Catalogue& catalogue_;
  bool any_;
  Duration grace_;
  IndexedHeap<Time> ends_;  // by job
};

}  // namespace somnus
