// "X sec": GridMix jobs whose tasks all take equally long (Yaq, section 6.1).
//
// The paper has jobs of 100 tasks, all of 5, of 10 or of 50 s, for 30 minutes on 80 nodes whose
// slots stay busy; how many jobs were active at a time, it does not say. By default 40 are: their
// 4000 tasks are more than 80 nodes of 10 slots and 4 places in the queue hold even when most jobs
// are half done. S slots work off 18 S / task_s such jobs in 30 minutes: 2880 of 5 s on 800 slots,
// 288 of 50 s.
#include "generators/generators.hpp"
#include "generators/submissions.hpp"

namespace somnus::generate_gridmix_fixed {
namespace {

struct GridmixFixed : Submissions {
  std::uint32_t tasks_per_job = 100;
  double task_s = 5;

  static constexpr auto fields() {
    using P = GridmixFixed;
    return together(Submissions::fields(),
                    in_order(field("tasks_per_job", &P::tasks_per_job, "1", "of each job",
                                   Range{.low = 1, .high = 1e6}),
                             field("task_s", &P::task_s, "s", "of each task",
                                   Range{.low = 0.001, .high = 1e6})));
  }
};

Checked<WorkloadSpec> make(const GridmixFixed& with, std::uint64_t seed) {
  if (auto what = too_many_tasks(double{1} * with.jobs * with.tasks_per_job)) {
    return refuse("tasks_per_job", std::move(*what));
  }
  WorkloadSpec workload = submissions("gridmix-fixed", "gridmix", with, seed);
  for (JobSpec& job : workload.jobs) {
    job.stages.emplace_back().durations.assign(with.tasks_per_job, with.task_s);
  }
  return in_order_of_submit(std::move(workload));
}

const Registered<Generator> row = generator<GridmixFixed>(
    "gridmix-fixed", "jobs of 100 tasks that all take equally long, so many at a time",
    "Yaq, 6.1: GridMix, X sec", make);

}  // namespace
}  // namespace somnus::generate_gridmix_fixed
