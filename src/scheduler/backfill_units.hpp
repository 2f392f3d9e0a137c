// What backfilling counts: units, and for how long their jobs may run.
#pragma once

#include <algorithm>
#include <optional>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "scheduler/policy.hpp"

namespace somnus {

/// A unit is all of a gang, or one task of any other stage: so many slots.
[[nodiscard]] inline std::uint32_t unit_width(StageId stage, const SchedulerView& view) {
  return view.jobs[stage].gang ? view.jobs[stage].tasks : 1;
}

/// Of one that begins, or goes on after it was suspended; at least 1 ns. Without a limit: as long
/// as there is time.
[[nodiscard]] inline Duration time_limit(JobId job, const SchedulerView& view) {
  const std::optional<Duration> limit = view.jobs.limit(job);
  if (!limit) return longest_span;
  return std::max(*limit - view.jobs.had_of_limit(job), Duration(1));
}

/// Whether its limit counts from a launch yet.
[[nodiscard]] inline bool has_begun(JobId job, const SchedulerView& view) {
  if (view.jobs.stands_still(job)) return false;
  return view.jobs.running(job) > 0 || view.jobs.unfinished(job) < view.jobs[job].tasks;
}

/// Whether so many tasks that have just been launched are the first that run of it, or that go on.
[[nodiscard]] inline bool begins_with(std::uint32_t tasks, JobId job, const SchedulerView& view) {
  const bool may_begin =
      view.jobs.unfinished(job) == view.jobs[job].tasks || view.jobs.goes_on(job);
  return view.jobs.running(job) == tasks && may_begin;
}

/// Of a span that is not below 0.
[[nodiscard]] inline Time end_of(Time start, Duration span) {
  return start < never - span ? start + span : never;
}

}  // namespace somnus
