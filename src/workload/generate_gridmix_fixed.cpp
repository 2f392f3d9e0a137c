// "X sec": GridMix jobs whose tasks all take equally long (Yaq, section 6.1).
//
// The paper has jobs of 100 tasks, all of 5, of 10 or of 50 s, for 30 minutes on 80 nodes whose
// slots stay busy; how many jobs were active at a time, it does not say. By default 40 are: their
// 4000 tasks are more than 80 nodes of 10 slots and 4 places in the queue hold even when most jobs
// are half done. S slots work off 18 S / task_s such jobs in 30 minutes: 2880 of 5 s on 800 slots,
// 288 of 50 s.
#include "workload/generators.hpp"
#include "workload/submissions.hpp"

namespace somnus {
namespace {

Checked<WorkloadSpec> make(const NumberValues& values, std::uint64_t seed) {
  const double tasks = values.at("tasks_per_job");
  if (auto what = too_many_tasks(values.at("jobs") * tasks)) {
    return refuse("tasks_per_job", std::move(*what));
  }
  WorkloadSpec workload = submissions("gridmix-fixed", "gridmix", values, seed);
  for (JobSpec& job : workload.jobs) {
    job.stages.emplace_back().durations.assign(static_cast<std::size_t>(tasks),
                                               values.at("task_s"));
  }
  return in_order_of_submit(std::move(workload));
}

}  // namespace

Generator gridmix_fixed_generator() {
  return {.name = "gridmix-fixed",
          .summary = "jobs of 100 tasks that all take equally long, so many at a time",
          .source = "Yaq, 6.1: GridMix, X sec",
          .parameters = submission_parameters(
              {.jobs = "300", .jobs_active = "40", .jobs_per_minute = "60"},
              {whole_parameter("tasks_per_job", "of each job", "100", {.low = 1, .high = 1e6}),
               number_parameter("task_s", "s", "of each task", "5", {.low = 0.001, .high = 1e6})}),
          .make = make};
}

}  // namespace somnus
