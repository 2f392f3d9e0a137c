// Equal jobs at equal intervals: every figure about them can be worked out by hand.
//
// Job j of `jobs` is submitted at j * interval_s and is a chain of `stages` stages, each of `tasks`
// tasks of duration_s. Users take turns. Nothing is random.
#include "generators/generators.hpp"
#include "workload/check.hpp"

namespace somnus::generate_fixed {
namespace {

struct Fixed {
  std::uint32_t jobs = 10;
  std::uint32_t tasks = 10;
  double duration_s = 1;
  double interval_s = 1;
  std::uint32_t stages = 1;
  std::uint32_t users = 1;

  static constexpr auto fields() {
    using P = Fixed;
    return in_order(
        field("jobs", &P::jobs, "1", "how many", Range{.low = 1, .high = 1e7}),
        field("tasks", &P::tasks, "1", "tasks of each stage", Range{.low = 1, .high = 1e6}),
        field("duration_s", &P::duration_s, "s", "of each task", not_negative),
        field("interval_s", &P::interval_s, "s", "between two submits", not_negative),
        field("stages", &P::stages, "1", "length of each job's chain of stages",
              Range{.low = 1, .high = 1e4}),
        field("users", &P::users, "1", "how many take turns", Range{.low = 1, .high = 1e6}));
  }
};

Checked<WorkloadSpec> make(const Fixed& with, std::uint64_t /*seed*/) {
  const double all_tasks = double{1} * with.jobs * with.tasks * with.stages;
  if (all_tasks > static_cast<double>(most_tasks)) {
    return refuse("tasks", fmt::format("expected at most {} tasks in a workload, found {}",
                                       most_tasks, all_tasks));
  }
  WorkloadSpec workload{.name = "fixed"};
  workload.jobs.reserve(with.jobs);
  for (std::uint32_t index = 0; index < with.jobs; ++index) {
    JobSpec job{.job = std::to_string(index),
                .user = fmt::format("user{}", index % with.users + 1),
                .submit = index * with.interval_s};
    for (std::uint32_t stage = 0; stage < with.stages; ++stage) {
      StageSpec spec{.stage = stage};
      if (stage > 0) spec.parents = {stage - 1};
      spec.durations.assign(with.tasks, with.duration_s);
      job.stages.push_back(std::move(spec));
    }
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

const Registered<Generator> row =
    generator<Fixed>("fixed", "equal jobs at equal intervals, for sums done by hand", "", make);

}  // namespace
}  // namespace somnus::generate_fixed
