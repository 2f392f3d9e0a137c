// "GridMix-MS": GridMix jobs whose task durations are exponential, as in a production workload of
// Microsoft's whose longer tasks were scaled down (Yaq, section 6.1), and the heavy-tailed variant.
//
// The paper gives 100 tasks a job and durations that are exponential with a mean of 49 s, and says
// in section 6.5.3 that tasks within a job are relatively homogeneous. So by default (per_task = 0)
// each job draws its mean, exponential with mean mean_s, and its tasks take that times
// U[1 - spread, 1 + spread]; how wide they spread is our choice. With per_task = 1 each task draws
// for itself and a job has tasks of all lengths.
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
#include "workload/generators.hpp"
#include "workload/rounding.hpp"
#include "workload/submissions.hpp"

namespace somnus {
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

Checked<WorkloadSpec> make(const NumberValues& values, std::uint64_t seed) {
  const double tasks = values.at("tasks_per_job");
  if (auto what = too_many_tasks(values.at("jobs") * tasks)) {
    return refuse("tasks_per_job", std::move(*what));
  }
  const bool per_task = values.at("per_task") == 1;
  const double spread = values.at("spread");
  WorkloadSpec workload = submissions("gridmix-ms", "gridmix", values, seed);
  RandomStream means(seed, "gridmix-ms means");
  RandomStream factors(seed, "gridmix-ms factors");
  for (JobSpec& job : workload.jobs) {
    const double mean_s = means.exponential(values.at("mean_s"));
    std::vector<double>& durations = job.stages.emplace_back().durations;
    durations.resize(static_cast<std::size_t>(tasks));
    for (double& duration : durations) {
      const double task_s = per_task ? factors.exponential(values.at("mean_s"))
                                     : mean_s * factors.uniform(1 - spread, 1 + spread);
      duration = to_milliseconds_of_work(task_s);
    }
  }
  lengthen_longest(workload, values.at("extra_share"), values.at("extra_s"));
  return in_order_of_submit(std::move(workload));
}

}  // namespace

Generator gridmix_ms_generator() {
  return {
      .name = "gridmix-ms",
      .summary =
          "jobs of 100 tasks of exponential durations, so many at a time; heavy tail at will",
      .source = "Yaq, 6.1 and 6.5.4: GridMix-MS",
      .parameters = submission_parameters(
          {.jobs = "300", .jobs_active = "40", .jobs_per_minute = "10"},
          {whole_parameter("tasks_per_job", "of each job", "100", {.low = 1, .high = 1e6}),
           number_parameter("mean_s", "s", "of task durations", "49", {.low = 0.001, .high = 1e5}),
           whole_parameter("per_task", "1: every task draws; 0: every job, and its tasks are alike",
                           "0", {.low = 0, .high = 1}),
           number_parameter("spread", "1",
                            "tasks take U[1 - spread, 1 + spread] of their job's draw", "0.1",
                            probability),
           number_parameter("extra_s", "s", "added to the longest tasks", "0",
                            {.low = 0, .high = 1e6}),
           number_parameter("extra_share", "1", "of tasks that are the longest", "0.2",
                            probability)}),
      .make = make};
}

}  // namespace somnus
