// What a placement may know of the stages whose tasks it places.
#pragma once

#include <cstdint>
#include <span>

#include "scheduler/jobs_view.hpp"

namespace somnus {

/// What a placement may know of the stages whose tasks it places: what each stage's own job says of
/// it. Nothing of other jobs' tasks, nor where any task runs, for where jobs have managers of their
/// own no manager knows what the others do.
class StagesView {
 public:
  StagesView(JobsView jobs) : jobs_(jobs) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] JobId job_of(StageId stage) const { return jobs_.job_of(stage); }
  [[nodiscard]] AppId app_of(StageId stage) const { return jobs_[jobs_.job_of(stage)].app; }
  [[nodiscard]] std::span<const NodeId> affinity_of(StageId stage) const {
    return jobs_.affinity_of(stage);
  }
  /// Whether nobody else may be on its nodes.
  [[nodiscard]] bool exclusive(StageId stage) const { return jobs_[stage].exclusive; }
  [[nodiscard]] const Demand& demand(StageId stage) const { return jobs_.demand(stage); }
  [[nodiscard]] Duration task_estimate(StageId stage) const { return jobs_.task_estimate(stage); }
  [[nodiscard]] std::uint32_t runnable(StageId stage) const { return jobs_.runnable(stage); }
  /// The job's first stage with runnable tasks; invalid if it has none.
  [[nodiscard]] StageId head(JobId job) const { return jobs_.head(job); }

 private:
  JobsView jobs_;
};

}  // namespace somnus
