// SJF: shortest job first, by the length of its critical path (Carbyne, sections 2 and 5;
// policies.md 6.3). All that the first job can use is its, the rest the next one's.
//
//     metric = "cpm"            longest sum of stages' estimated task durations from a stage
//     without
//                               parents to one without children; a stage's is the mean of its tasks
//              "remaining-cpm"  the same over stages that have not ended; one that runs counts in
//                               full
//              "srtf"           the work of its tasks that have not been started, over all
//                               resources (work_left.hpp)
//
// All are compared on the grid (base/grid.hpp); ties go to the earlier job.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "policies/paths.hpp"
#include "policies/work_left.hpp"
#include "scheduler/ranking.hpp"

namespace somnus {

enum class JobLength { cpm, remaining_cpm, srtf };
template <>
struct EnumNames<JobLength> {
  static constexpr std::pair<JobLength, const char*> names[] = {
      {JobLength::cpm, "cpm"},
      {JobLength::remaining_cpm, "remaining-cpm"},
      {JobLength::srtf, "srtf"}};
};

struct Sjf {
  JobLength metric = JobLength::cpm;

  static constexpr auto fields() {
    return in_order(field("metric", &Sjf::metric, "",
                          "a job's length: its critical path, what of that is left, or the work "
                          "of its tasks that have not been started"));
  }

  static constexpr Level level = Level::job;
  static constexpr bool resort_per_task = true;
  using Key = Wide;  // the grid's cells
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;

  void on(const Configured& settled) {
    if (metric == JobLength::srtf) work_.emplace(settled.environment.cluster);
  }
  void on(const Submitted& entered) {
    const JobId job = entered.unit.job();
    if (job.index() >= paths_.size()) paths_.resize(job.index() + 1);
    measure(entered.unit);
    if (work_) work_->job_arrived(job, entered.unit.jobs());
  }
  void on(const Started& started) {
    if (work_) work_->changed(started.stage, started.unit.jobs());
  }
  void on(const Ended& ended) {
    if (metric == JobLength::cpm) return;
    JobsView jobs = ended.unit.jobs();
    const StageId stage = jobs.stage_of(ended.end.task);
    if (work_) work_->changed(stage, jobs);
    if (metric == JobLength::remaining_cpm && jobs.unfinished(stage) == 0) measure(ended.unit);
  }
  [[nodiscard]] Key key(const Unit& job) const {
    if (work_) return work_->of(job.job()).on_grid();
    return paths_[job.job().index()];
  }

 private:
  void measure(const Unit& job) {
    Wide& longest = paths_[job.job().index()];
    longest = 0;
    for (const FineWork& way : ways_left(job.job(), job.jobs())) {
      longest = std::max(longest, way.on_grid());
    }
  }

  std::vector<Wide> paths_;       // by job, in the grid's cells
  std::optional<WorkLeft> work_;  // for the metric srtf alone
};
static_assert(Ranking<Sjf>);

}  // namespace somnus
