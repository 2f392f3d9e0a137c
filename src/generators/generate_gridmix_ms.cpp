// "GridMix-MS": GridMix jobs whose task durations are exponential, as in a production workload of
// Microsoft's whose longer tasks were scaled down (Yaq, section 6.1), and the heavy-tailed variant.
//
// The paper gives 100 tasks a job and durations that are exponential with a mean of 49 s, and says
// in section 6.5.3 that tasks within a job are relatively homogeneous. So by default (per_task =
// false) each job draws its mean, exponential with mean mean_s, and its tasks take that times U[1 -
// spread, 1 + spread]; how wide they spread is our choice. With per_task = true each task draws for
// itself and a job has tasks of all lengths.
//
// Heavy-tailed (section 6.5.4, Fig. 14): the longest extra_share of all the workload's tasks take
// extra_s more; the paper has 20 % and 500 s. Of tasks that are equally long the earlier come
// first.
//
// What the paper leaves open (jobs at a time) is as in generate_gridmix_fixed.cpp.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/random.hpp"
#include "generators/generators.hpp"
#include "generators/submissions.hpp"
#include "workload/rounding.hpp"

namespace somnus::generate_gridmix_ms {
namespace {

void lengthen_longest(WorkloadSpec& workload, double share, double extra_s) {
  if (extra_s == 0) return;
  std::vector<double*> tasks;
  for (JobSpec& job : workload.jobs) {
    for (double& duration : job.stages[0].durations) tasks.push_back(&duration);
  }
  std::ranges::stable_sort(tasks, std::greater<>(), [](const double* task) { return *task; });
  tasks.resize(static_cast<std::size_t>(std::floor(share * static_cast<double>(tasks.size()))));
  for (double* task : tasks) *task = to_milliseconds(*task + extra_s);
}

struct GridmixMs : Submissions {
  GridmixMs() { jobs_per_minute = 10; }

  std::uint32_t tasks_per_job = 100;
  double mean_s = 49;
  bool per_task = false;
  double spread = 0.1;
  double extra_s = 0;
  double extra_share = 0.2;

  static constexpr auto fields() {
    using P = GridmixMs;
    return together(
        Submissions::fields(),
        in_order(
            field("tasks_per_job", &P::tasks_per_job, "1", "of each job",
                  Range{.low = 1, .high = 1e6}),
            field("mean_s", &P::mean_s, "s", "of task durations", Range{.low = 0.001, .high = 1e5}),
            field("per_task", &P::per_task, "",
                  "true: every task draws; false: every job, and its tasks are alike"),
            field("spread", &P::spread, "1",
                  "tasks take U[1 - spread, 1 + spread] of their job's draw", probability),
            field("extra_s", &P::extra_s, "s", "added to the longest tasks",
                  Range{.low = 0, .high = 1e6}),
            field("extra_share", &P::extra_share, "1", "of tasks that are the longest",
                  probability)));
  }
};

Checked<WorkloadSpec> make(const GridmixMs& with, std::uint64_t seed) {
  if (auto what = too_many_tasks(double{1} * with.jobs * with.tasks_per_job)) {
    return refuse("tasks_per_job", std::move(*what));
  }
  WorkloadSpec workload = submissions("gridmix-ms", "gridmix", with, seed);
  RandomStream means(seed, "gridmix-ms means");
  RandomStream factors(seed, "gridmix-ms factors");
  for (JobSpec& job : workload.jobs) {
    const double mean_s = means.exponential(with.mean_s);
    std::vector<double>& durations = job.stages.emplace_back().durations;
    durations.resize(with.tasks_per_job);
    for (double& duration : durations) {
      const double task_s = with.per_task
                                ? factors.exponential(with.mean_s)
                                : mean_s * factors.uniform(1 - with.spread, 1 + with.spread);
      duration = to_milliseconds_of_work(task_s);
    }
  }
  lengthen_longest(workload, with.extra_share, with.extra_s);
  return in_order_of_submit(std::move(workload));
}

const Registered<Generator> row = generator<GridmixMs>(
    "gridmix-ms",
    "jobs of 100 tasks of exponential durations, so many at a time; heavy tail at will",
    "Yaq, 6.1 and 6.5.4: GridMix-MS", make);

}  // namespace
}  // namespace somnus::generate_gridmix_ms
