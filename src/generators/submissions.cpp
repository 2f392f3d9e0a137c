#include "generators/submissions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "workload/rounding.hpp"

namespace somnus {
namespace {

void submit_in_chains(WorkloadSpec& workload, std::size_t chains, double stagger_s,
                      RandomStream& times) {
  for (std::size_t index = 0; index < workload.jobs.size(); ++index) {
    JobSpec& job = workload.jobs[index];
    if (index < chains) {
      job.submit = to_milliseconds(times.uniform(0, stagger_s));
      continue;
    }
    const JobSpec& before = workload.jobs[index - chains];
    job.submit = before.submit;
    job.after = before.job;
  }
}

void submit_at_any_time(WorkloadSpec& workload, double mean_wait_s, RandomStream& times) {
  double time_s = 0;
  for (JobSpec& job : workload.jobs) {
    time_s += times.exponential(mean_wait_s);
    job.submit = to_milliseconds(time_s);
  }
}

}  // namespace

WorkloadSpec submissions(const std::string& name, const std::string& user, const Submissions& with,
                         std::uint64_t seed) {
  WorkloadSpec workload{.name = name};
  workload.jobs.resize(with.jobs);
  RandomStream queues(seed, name + " queues");
  for (std::size_t index = 0; index < workload.jobs.size(); ++index) {
    JobSpec& job = workload.jobs[index];
    job.job = std::to_string(index);
    job.user = user;
    if (with.queue_b_share > 0) job.queue = queues.uniform() < with.queue_b_share ? "B" : "A";
  }
  RandomStream times(seed, name + " times");
  if (with.jobs_active > 0) {
    submit_in_chains(workload, with.jobs_active, with.stagger_s, times);
  } else {
    submit_at_any_time(workload, 60 / with.jobs_per_minute, times);
  }
  return workload;
}

WorkloadSpec in_order_of_submit(WorkloadSpec workload) {
  std::ranges::stable_sort(workload.jobs, {}, &JobSpec::submit);
  return workload;
}

std::optional<std::string> too_many_tasks(double tasks) {
  constexpr double most = 1e8;
  if (tasks <= most) return std::nullopt;
  return fmt::format("expected parameters for at most {:.0f} tasks, found some for about {:.0f}",
                     most, tasks);
}

}  // namespace somnus
