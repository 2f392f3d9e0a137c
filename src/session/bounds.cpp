#include "session/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "model/limits.hpp"
#include "session/compose.hpp"

namespace somnus {
namespace {

/// What makes a task take longer on some node than on a normal one, and in words.
struct Slowness {
  double times = 1;
  std::string words;

  void add(const char* what, double by) {
    if (by <= 1) return;
    times *= by;
    words += fmt::format("{}{} {:g}", words.empty() ? "" : " x ", what, by);
  }
};

Slowness worst_of(const Settings& settings) {
  const FaultSettings& faults = settings.faults;
  Slowness slowness;
  slowness.add("slowdown",
               std::ranges::max(settings.cluster.groups, {}, &NodeGroup::slowdown).slowdown);
  if (faults.slow_node_probability > 0) slowness.add("slow_node_factor", faults.slow_node_factor);
  if (faults.straggler_probability > 0) slowness.add("straggler_factor", faults.straggler_factor);
  return slowness;
}

/// Of all that a slot may have run before, what makes a task of the job take longest on a normal
/// node: at least as long as any of its tasks takes.
double longest_task(const Workload& workload, JobId id, const Warmup& warmup) {
  const Job& job = workload.catalogue[id];
  TaskTimes longest = TaskTimes::alike({}, workload.truth.warmup[id.index()]);
  for (std::uint32_t at = 0; at < job.tasks; ++at) {
    const TaskTimes times = workload.truth.times(id, TaskId(job.first_task.index() + at));
    longest.nominal = std::max(longest.nominal, times.nominal);
    longest.first = std::max(longest.first, times.first);
    longest.fresh = std::max(longest.fresh, times.fresh);
  }
  Duration most{};
  for (const Found& found : {Found{}, Found{.app = true}, Found{.app = true, .stage = true}}) {
    most = std::max(most, warmup.intended(longest, found, 1).time);
  }
  return in_seconds(most);
}

/// What no clock, log or check holds.
void check_times(const Workload& workload, const Settings& settings, Mistakes& mistakes) {
  const std::string& origin =
      settings.workload.generator.empty() ? settings.workload.file : settings.workload.generator;
  constexpr std::size_t most_listed = 20;
  const Warmup warmup = warmup_of(settings);
  const Slowness slowness = worst_of(settings);
  std::size_t listed = 0;
  for (std::uint32_t at = 0; at < workload.catalogue.jobs.size(); ++at) {
    const JobId id(at);
    const std::string key = fmt::format("{}, job '{}'", origin, workload.names.jobs[at]);
    double slot_time_s = 0;
    for (const TrueDuration task : workload.truth.of(workload.catalogue[id])) {
      slot_time_s += in_seconds(task.value);
    }
    if (slot_time_s > most_slot_time_s && ++listed <= most_listed) {
      mistakes.add(
          {.location = settings.workload.location,
           .key = key,
           .what = fmt::format("as it is cut into tasks, it takes {:.4g} s of slot-time; at most "
                               "{:g} s can be emulated",
                               slot_time_s, most_slot_time_s)});
    }
    const double longest_s = longest_task(workload, id, warmup);
    if (longest_s * slowness.times <= last_seconds || ++listed > most_listed) continue;
    mistakes.add(
        {.location = settings.workload.location,
         .key = key,
         .what = fmt::format("a task may take {:.4g} s{}{}, and a run is at most {:g} s long",
                             longest_s * slowness.times,
                             slowness.words.empty() ? "" : fmt::format(", {:.4g} s x ", longest_s),
                             slowness.words, last_seconds),
         .hint = "lower the factors of [cluster], [faults] or [jvm], or shorten the task"});
  }
}

/// A scheduler adds up the estimates of a job's work.
void check_estimates(const Workload& workload, const Settings& settings, Mistakes& mistakes) {
  const EstimateSettings& estimate = settings.estimate;
  const auto estimator = estimator_of(settings, workload);
  double estimated_s = 0;  // of the job estimated to be the largest
  for (const Job& job : workload.catalogue.jobs) {
    double of_job_s = 0;
    for (std::uint32_t at = 0; at < job.stages; ++at) {
      of_job_s += estimator->slot_time(StageId(job.first_stage.value() + at)).seconds;
    }
    estimated_s = std::max(estimated_s, of_job_s);
  }
  if (estimated_s <= most_slot_time_s) return;
  mistakes.add(
      {.location = {.file = settings.origin},
       .key = estimate.model == EstimateModel::naive ? "estimate.default_task_s" : "estimate.model",
       .what = fmt::format("a job would be estimated to take {:.4g} s of slot-time; "
                           "at most {:g} s can be",
                           estimated_s, most_slot_time_s)});
}

}  // namespace

void check_bounds(const Workload& workload, const Settings& settings, Mistakes& mistakes) {
  check_times(workload, settings, mistakes);
  if (!mistakes.any()) check_estimates(workload, settings, mistakes);
}

}  // namespace somnus
