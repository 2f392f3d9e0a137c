// The work that a job has left, where tasks hold several resources: of each of its tasks that has
// not been started, estimated time x the sum over resources of its share of the cluster [slot-ns of
// the whole cluster] (Tetris, SIGCOMM 2014; policies.md 6.2). Running tasks do not count, a backup
// that is due does.
#pragma once

#include <vector>

#include "scheduler/dimensions.hpp"

namespace somnus {

class WorkLeft {
 public:
  explicit WorkLeft(const Cluster& cluster) : dimensions_(cluster) {}

  [[nodiscard]] FineWork of(JobId job) const { return left_[job.index()]; }

  void job_arrived(JobId id, JobsView jobs) {
    const Job& job = jobs[id];
    const std::size_t stages = job.first_stage.index() + job.stages;
    if (id.index() >= left_.size()) left_.resize(id.index() + 1);
    if (stages > of_task_.size()) of_task_.resize(stages);
    if (stages > counted_.size()) counted_.resize(stages);
    for (std::uint32_t at = 0; at < job.stages; ++at) {
      const StageId stage(job.first_stage.value() + at);
      of_task_[stage.index()] = of_task(stage, jobs);
      counted_[stage.index()] = jobs[stage].tasks;
      left_[id.index()] += counted_[stage.index()] * of_task_[stage.index()];
    }
  }
  /// One of the stage's tasks has been started, or an attempt is over.
  void changed(StageId stage, JobsView jobs) {
    FineWork& left = left_[jobs.job_of(stage).index()];
    std::uint32_t& counted = counted_[stage.index()];
    left -= counted * of_task_[stage.index()];
    counted = jobs.unstarted(stage);
    left += counted * of_task_[stage.index()];
  }

 private:
  [[nodiscard]] FineWork of_task(StageId id, JobsView jobs) const {
    Quad shares = 0;
    for (std::size_t kind = 0; kind < dimensions_.count(); ++kind) {
      const std::int64_t asked = dimensions_.asked(kind, id, jobs);
      if (asked > 0)
        shares += static_cast<Quad>(asked) / static_cast<Quad>(dimensions_.total(kind));
    }
    return FineWork::rounded(exactly(jobs.slot_time(id)) / jobs[id].tasks * shares);
  }

  Dimensions dimensions_;
  std::vector<FineWork> of_task_;       // by stage
  std::vector<std::uint32_t> counted_;  // by stage: tasks that are in left_
  std::vector<FineWork> left_;          // by job
};

}  // namespace somnus
