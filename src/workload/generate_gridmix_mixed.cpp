// "Mixed-5-50": GridMix jobs of short tasks and others of long ones (Yaq, section 6.1).
//
// A job is short with probability share_short. The paper's setup has 80 % jobs of 5-second tasks
// and 20 % of 50-second ones; its introduction calls the mix even. With the setup's shares 71 %
// of the work is in long jobs. What the paper leaves open (jobs at a time) is as in
// generate_gridmix_fixed.cpp.
#include "base/random.hpp"
#include "workload/generators.hpp"
#include "workload/submissions.hpp"

namespace somnus {
namespace {

Checked<WorkloadSpec> make(const NumberValues& values, std::uint64_t seed) {
  const double tasks = values.at("tasks_per_job");
  if (auto what = too_many_tasks(values.at("jobs") * tasks)) {
    return refuse("tasks_per_job", std::move(*what));
  }
  WorkloadSpec workload = submissions("gridmix-mixed", "gridmix", values, seed);
  RandomStream kinds(seed, "gridmix-mixed kinds");
  for (JobSpec& job : workload.jobs) {
    const bool is_short = kinds.uniform() < values.at("share_short");
    job.stages.emplace_back().durations.assign(static_cast<std::size_t>(tasks),
                                               values.at(is_short ? "short_s" : "long_s"));
  }
  return in_order_of_submit(std::move(workload));
}

}  // namespace

Generator gridmix_mixed_generator() {
  const Range time = {.low = 0.001, .high = 1e6};
  return {.name = "gridmix-mixed",
          .summary = "jobs of 100 short tasks among others of 100 long ones, so many at a time",
          .source = "Yaq, 6.1: GridMix, Mixed-5-50",
          .parameters = submission_parameters(
              {.jobs = "300", .jobs_active = "40", .jobs_per_minute = "60"},
              {whole_parameter("tasks_per_job", "of each job", "100", {.low = 1, .high = 1e6}),
               number_parameter("share_short", "1", "of jobs with short tasks", "0.8", probability),
               number_parameter("short_s", "s", "of each task of a short job", "5", time),
               number_parameter("long_s", "s", "of each task of a long job", "50", time)}),
          .make = make};
}

}  // namespace somnus
