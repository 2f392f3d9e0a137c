// When jobs have had their time: a job with a limit may run for so long, and for a grace beyond.
// Then it fails, and what runs of it is killed. The time counts from the launch of its first task;
// anew where all that ran of it has been lost or has failed, as of a job that is queued again; and
// it stands still while nothing of the job runs and some of it is suspended.
#pragma once

#include <unordered_map>
#include <unordered_set>
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

  /// A task of the stage, which the table knows of.
  void launched(Time now, StageId stage, JobTable& jobs) {
    const JobId job = catalogue_[stage].job;
    if (!suspended_.empty()) go_on(stage);
    const auto limit = catalogue_.limit(job);
    const bool goes_on = jobs.stands_still(job);
    const bool begins = jobs.running(job) == 1 && (has_done_nothing(job, jobs) || goes_on);
    if (!limit || !begins) return;
    const Duration allowed = *limit + grace_ - jobs.had_of_limit(job);
    ends_.put(job.value(), allowed < never - now ? now + allowed : never);
    if (goes_on) jobs.go_on(now, job);
  }
  /// The same.
  void task_ended(Time now, StageId stage, Outcome outcome, JobTable& jobs) {
    const JobId job = catalogue_[stage].job;
    if (outcome == Outcome::suspended) suspended_[job].insert(stage);
    if (jobs.ended(job)) {
      suspended_.erase(job);
      ends_.erase(job.value());
    } else if (jobs.running(job) == 0 && suspended_.contains(job)) {
      if (ends_.contains(job.value())) stand_still(now, job, jobs);
    } else if (jobs.running(job) == 0 && has_done_nothing(job, jobs)) {
      jobs.begin_anew(job);
      ends_.erase(job.value());
    }
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

  void go_on(StageId stage) {
    const auto found = suspended_.find(catalogue_[stage].job);
    if (found == suspended_.end()) return;
    found->second.erase(stage);
    if (found->second.empty()) suspended_.erase(found);
  }
  // One that has no time left fails at this instant.
  void stand_still(Time now, JobId job, JobTable& jobs) {
    const Duration left = ends_.key_of(job.value()) - now;
    if (left <= Duration::zero()) return;
    jobs.stand_still(job, *catalogue_.limit(job) + grace_ - left);
    ends_.erase(job.value());
  }

  const Catalogue& catalogue_;
  bool any_;
  Duration grace_;
  IndexedHeap<Time> ends_;                                            // by job
  std::unordered_map<JobId, std::unordered_set<StageId>> suspended_;  // until they are launched
};

}  // namespace somnus
