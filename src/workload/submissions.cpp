#include "workload/submissions.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

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

std::vector<NumberParameter> submission_parameters(const SubmissionDefaults& defaults,
                                                   std::vector<NumberParameter> own) {
  std::vector<NumberParameter> all = {
      whole_parameter("jobs", "how many in all", defaults.jobs, {.low = 1, .high = 1e6}),
      whole_parameter("jobs_active", "so many at any time; 0: they come at independent times",
                      defaults.jobs_active, {.low = 0, .high = 1e6}),
      number_parameter("stagger_s", "s", "the first jobs_active jobs start within that time", "60",
                       {.low = 0, .high = 1e6}),
      number_parameter("jobs_per_minute", "1/min", "on average, where jobs_active = 0",
                       defaults.jobs_per_minute, {.low = 1e-6, .high = 1e6}),
      number_parameter("queue_b_share", "1", "of jobs in queue B, the others in A; 0: no queues",
                       "0", probability)};
  std::ranges::move(own, std::back_inserter(all));
  return all;
}

WorkloadSpec submissions(const std::string& name, const std::string& user,
                         const NumberValues& values, std::uint64_t seed) {
  WorkloadSpec workload{.name = name};
  workload.jobs.resize(static_cast<std::size_t>(values.at("jobs")));
  const double share = values.at("queue_b_share");
  RandomStream queues(seed, name + " queues");
  for (std::size_t index = 0; index < workload.jobs.size(); ++index) {
    JobSpec& job = workload.jobs[index];
    job.job = std::to_string(index);
    job.user = user;
    if (share > 0) job.queue = queues.uniform() < share ? "B" : "A";
  }
  RandomStream times(seed, name + " times");
  if (const auto chains = static_cast<std::size_t>(values.at("jobs_active")); chains > 0) {
    submit_in_chains(workload, chains, values.at("stagger_s"), times);
  } else {
    submit_at_any_time(workload, 60 / values.at("jobs_per_minute"), times);
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
