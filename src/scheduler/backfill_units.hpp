// What backfilling counts: units, and for how long their jobs may run.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "scheduler/policy.hpp"

namespace somnus {

/// A unit is all of a gang, or one task of any other stage: so many slots.
[[nodiscard]] inline std::uint32_t unit_width(StageId stage, const SchedulerView& view) {
  return view.jobs[stage].gang ? view.jobs[stage].tasks : 1;
}

/// Without a limit: as long as there is time.
[[nodiscard]] inline Duration time_limit(JobId job, const SchedulerView& view) {
  return view.jobs.limit(job).value_or(longest_span);
}

/// Whether its limit counts from a launch yet.
[[nodiscard]] inline bool has_begun(JobId job, const SchedulerView& view) {
  return view.jobs.running(job) > 0 || view.jobs.unfinished(job) < view.jobs[job].tasks;
}

/// Whether so many tasks that have just been launched are the first that run of it.
[[nodiscard]] inline bool begins_with(std::uint32_t tasks, JobId job, const SchedulerView& view) {
  return view.jobs.running(job) == tasks && view.jobs.unfinished(job) == view.jobs[job].tasks;
}

/// Of a span that is not below 0.
[[nodiscard]] inline Time end_of(Time start, Duration span) {
  return start < never - span ? start + span : never;
}

}  // namespace somnus
