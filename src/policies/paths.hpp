// Paths through a job's stages.
#pragma once

#include <cstdint>
#include <vector>

#include "base/grid.hpp"
#include "scheduler/jobs_view.hpp"

namespace somnus {

/// The job's stages, each behind its parents; of those that could be next the one numbered first.
[[nodiscard]] std::vector<StageId> parents_first(JobId job, JobsView jobs);

/// By place in the job: stages on the longest way there from one without parents, not counting it.
[[nodiscard]] std::vector<std::uint32_t> levels(JobId job, JobsView jobs);

/// By place in the job: the longest sum of the stages' estimated task durations, means over a
/// stage's tasks, on a way from there, with it, to a stage without children (Carbyne, section 2;
/// policies.md 6.3). Stages that have ended count as nothing. To be compared on the grid: sums of
/// other means may come to the same.
[[nodiscard]] std::vector<FineWork> ways_left(JobId job, JobsView jobs);

}  // namespace somnus
