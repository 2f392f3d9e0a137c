// "Mixed-5-50": GridMix jobs of short tasks and others of long ones (Yaq, section 6.1).
//
// A job is short with probability share_short. The paper's setup has 80 % jobs of 5-second tasks
// and 20 % of 50-second ones; its introduction calls the mix even. With the setup's shares 71 %
// of the work is in long jobs. What the paper leaves open (jobs at a time) is as in
// generate_gridmix_fixed.cpp.
#include "base/random.hpp"
#include "generators/generators.hpp"
#include "generators/submissions.hpp"

namespace somnus::generate_gridmix_mixed {
namespace {

struct GridmixMixed : Submissions {
  std::uint32_t tasks_per_job = 100;
  double share_short = 0.8;
  double short_s = 5;
  double long_s = 50;

  static constexpr auto fields() {
    using P = GridmixMixed;
    return together(Submissions::fields(),
                    in_order(field("tasks_per_job", &P::tasks_per_job, "1", "of each job",
                                   Range{.low = 1, .high = 1e6}),
                             field("share_short", &P::share_short, "1", "of jobs with short tasks",
                                   probability),
                             field("short_s", &P::short_s, "s", "of each task of a short job",
                                   Range{.low = 0.001, .high = 1e6}),
                             field("long_s", &P::long_s, "s", "of each task of a long job",
                                   Range{.low = 0.001, .high = 1e6})));
  }
};

Checked<WorkloadSpec> make(const GridmixMixed& with, std::uint64_t seed) {
  if (auto what = too_many_tasks(double{1} * with.jobs * with.tasks_per_job)) {
    return refuse("tasks_per_job", std::move(*what));
  }
  WorkloadSpec workload = submissions("gridmix-mixed", "gridmix", with, seed);
  RandomStream kinds(seed, "gridmix-mixed kinds");
  for (JobSpec& job : workload.jobs) {
    const bool is_short = kinds.uniform() < with.share_short;
    job.stages.emplace_back().durations.assign(with.tasks_per_job,
                                               is_short ? with.short_s : with.long_s);
  }
  return in_order_of_submit(std::move(workload));
}

const Registered<Generator> row = generator<GridmixMixed>(
    "gridmix-mixed", "jobs of 100 short tasks among others of 100 long ones, so many at a time",
    "Yaq, 6.1: GridMix, Mixed-5-50", make);

}  // namespace
}  // namespace somnus::generate_gridmix_mixed
