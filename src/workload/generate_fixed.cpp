// Equal jobs at equal intervals: every figure about them can be worked out by hand.
//
// Job j of `jobs` is submitted at j * interval_s and is a chain of `stages` stages, each of `tasks`
// tasks of duration_s. Users take turns. Nothing is random.
#include "workload/check.hpp"
#include "workload/generators.hpp"

namespace somnus {
namespace {

Checked<WorkloadSpec> make(const NumberValues& values, std::uint64_t /*seed*/) {
  const auto jobs = static_cast<std::size_t>(values.at("jobs"));
  const auto tasks = static_cast<std::size_t>(values.at("tasks"));
  const auto stages = static_cast<std::uint32_t>(values.at("stages"));
  const auto users = static_cast<std::size_t>(values.at("users"));
  const double all_tasks = values.at("jobs") * values.at("tasks") * values.at("stages");
  if (all_tasks > static_cast<double>(most_tasks)) {
    return refuse("tasks", fmt::format("expected at most {} tasks in a workload, found {}",
                                       most_tasks, all_tasks));
  }
  WorkloadSpec workload{.name = "fixed"};
  workload.jobs.reserve(jobs);
  for (std::size_t index = 0; index < jobs; ++index) {
    JobSpec job{.job = std::to_string(index),
                .user = fmt::format("user{}", index % users + 1),
                .submit = static_cast<double>(index) * values.at("interval_s")};
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
      StageSpec spec{.stage = stage};
      if (stage > 0) spec.parents = {stage - 1};
      spec.durations.assign(tasks, values.at("duration_s"));
      job.stages.push_back(std::move(spec));
    }
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

}  // namespace

Generator fixed_generator() {
  const Range time = {.low = 0, .high = longest_exact_seconds};
  return {.name = "fixed",
          .summary = "equal jobs at equal intervals, for sums done by hand",
          .source = "",
          .parameters = {{.name = "jobs",
                          .unit = "1",
                          .meaning = "how many",
                          .default_text = "10",
                          .range = {.low = 1, .high = 1e7},
                          .is_integer = true},
                         {.name = "tasks",
                          .unit = "1",
                          .meaning = "tasks of each stage",
                          .default_text = "10",
                          .range = {.low = 1, .high = 1e6},
                          .is_integer = true},
                         {.name = "duration_s",
                          .unit = "s",
                          .meaning = "of each task",
                          .default_text = "1",
                          .range = time},
                         {.name = "interval_s",
                          .unit = "s",
                          .meaning = "between two submits",
                          .default_text = "1",
                          .range = time},
                         {.name = "stages",
                          .unit = "1",
                          .meaning = "length of each job's chain of stages",
                          .default_text = "1",
                          .range = {.low = 1, .high = 1e4},
                          .is_integer = true},
                         {.name = "users",
                          .unit = "1",
                          .meaning = "how many take turns",
                          .default_text = "1",
                          .range = {.low = 1, .high = 1e6},
                          .is_integer = true}},
          .make = make};
}

}  // namespace somnus
