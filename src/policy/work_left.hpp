// The work that a job has left, where tasks hold several resources: of each of its tasks that has
// not been started, estimated time x the sum over resources of its share of the cluster [slot-ns of
// the whole cluster] (Tetris, SIGCOMM 2014; policies.md 6.2). Running tasks do not count.
#pragma once

#include <vector>

#include "model/cluster.hpp"
#include "model/job_table.hpp"

namespace somnus {

class WorkLeft {
 public:
  explicit WorkLeft(const Cluster& cluster) {
    if (cluster.resources.empty()) cluster_.push_back(static_cast<Quad>(cluster.slot_count()));
    const ResourceTotals all = cluster.capacity();
    for (std::size_t kind = 0; kind < cluster.resources.size(); ++kind) {
      cluster_.push_back(static_cast<Quad>(all.millionths(kind)));
    }
    only_slots_ = cluster.resources.empty();
  }

  /// In millionths, so that sums of it are exact and equal work is equal.
  [[nodiscard]] Wide of(JobId job) const { return left_[job.index()]; }

  void job_arrived(JobId id, const JobTable& jobs) {
    const Job& job = jobs.catalogue()[id];
    left_.resize(jobs.catalogue().jobs.size());
    of_task_.resize(jobs.catalogue().stages.size());
    for (std::uint32_t at = 0; at < job.stages; ++at) {
      const StageId stage(job.first_stage.value() + at);
      of_task_[stage.index()] = of_task(stage, jobs);
      left_[id.index()] += of_task_[stage.index()] * jobs.catalogue()[stage].tasks;
    }
  }
  void task_started(StageId stage, const JobTable& jobs) {
    left_[jobs.catalogue()[stage].job.index()] -= of_task_[stage.index()];
  }
  void task_ended(StageId stage, Outcome outcome, const JobTable& jobs) {
    if (outcome == Outcome::finished) return;
    left_[jobs.catalogue()[stage].job.index()] += of_task_[stage.index()];
  }

 private:
  [[nodiscard]] Wide of_task(StageId id, const JobTable& jobs) const {
    Quad shares = 0;
    for (std::size_t kind = 0; kind < cluster_.size(); ++kind) {
      const std::int64_t held = only_slots_ ? 1 : jobs.demand(id).amounts.millionths(kind);
      if (held > 0) shares += static_cast<Quad>(held) / cluster_[kind];
    }
    constexpr Quad millionths = 1'000'000;
    const Quad time = exactly(jobs.slot_time(id)) / jobs.catalogue()[id].tasks;
    return static_cast<Wide>(time * shares * millionths + Quad{0.5});
  }

  bool only_slots_ = false;
  std::vector<Quad> cluster_;  // by kind
  std::vector<Wide> of_task_;  // by stage
  std::vector<Wide> left_;     // by job
};

}  // namespace somnus
