#include "workload/shape.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "workload/check.hpp"
#include "workload/offered_load.hpp"

namespace somnus {
namespace {

/// A job that follows another stays if that one does.
void cut(WorkloadSpec& spec, const WorkloadShape& shape) {
  const double until_s = shape.until_s > 0 ? shape.until_s : infinity;
  const std::size_t most = shape.jobs > 0 ? shape.jobs : spec.jobs.size();
  std::unordered_set<std::string> kept;
  std::vector<JobSpec> jobs;
  for (JobSpec& job : spec.jobs) {
    const bool stays = job.after.empty() ? job.submit >= shape.from_s && job.submit < until_s
                                         : kept.contains(job.after);
    if (!stays || jobs.size() == most) continue;
    kept.insert(job.job);
    job.submit -= shape.from_s;
    jobs.push_back(std::move(job));
  }
  spec.jobs = std::move(jobs);
}

/// A moving-block bootstrap, around the end: what is drawn has the trace's dependence between jobs
/// that are fewer than a block apart.
void resample(WorkloadSpec& spec, std::uint32_t block, std::uint64_t seed) {
  const std::size_t count = spec.jobs.size();
  const double span_s = spec.jobs.back().submit - spec.jobs.front().submit;
  const double mean_gap_s = count > 1 ? span_s / static_cast<double>(count - 1) : 0;
  RandomStream draws(seed, "workload resample");
  std::unordered_set<std::string> names;
  for (const JobSpec& job : spec.jobs) names.insert(job.job);
  std::vector<std::uint32_t> uses(count);
  std::vector<JobSpec> jobs;
  double now_s = 0;
  while (jobs.size() < count) {
    const auto first = static_cast<std::size_t>(draws.integer(0, std::ssize(spec.jobs) - 1));
    for (std::uint32_t offset = 0; offset < block && jobs.size() < count; ++offset) {
      const std::size_t at = (first + offset) % count;
      JobSpec job = spec.jobs[at];
      const double gap_s = at > 0 ? job.submit - spec.jobs[at - 1].submit : mean_gap_s;
      if (!jobs.empty()) now_s += gap_s;
      job.submit = now_s;
      const std::string plain = job.job;
      while (uses[at]++ > 0) {
        job.job = fmt::format("{}#{}", plain, uses[at]);
        if (names.insert(job.job).second) break;
      }
      jobs.push_back(std::move(job));
    }
  }
  spec.jobs = std::move(jobs);
}

/// As many of them as wanted, evenly over the list.
void spread(std::vector<double>& values, std::size_t wanted) {
  if (values.empty()) return;
  std::vector<double> chosen(wanted);
  for (std::size_t at = 0; at < wanted; ++at) {
    chosen[at] = values[(2 * at + 1) * values.size() / (2 * wanted)];
  }
  values = std::move(chosen);
}

double slot_time(const JobSpec& job) {
  double sum_s = 0;
  for (const StageSpec& stage : job.stages) {
    sum_s += stage.work;
    for (const double duration_s : stage.durations) sum_s += duration_s;
  }
  return sum_s;
}

void scale_tasks(JobSpec& job, double factor) {
  const double before_s = slot_time(job);
  for (StageSpec& stage : job.stages) {
    stage.work *= factor;
    const double scaled = std::round(static_cast<double>(stage.durations.size()) * factor);
    const auto tasks = static_cast<std::size_t>(std::max(1.0, scaled));
    spread(stage.durations, tasks);
    spread(stage.fresh, tasks);
    spread(stage.first, tasks);
  }
  if (before_s > 0) job.estimate *= slot_time(job) / before_s;
  if (job.curve.size() != 4) return;
  // With k times the tasks it takes on k x slots what it took on x.
  job.curve[0] -= job.curve[3] * std::log(factor);
  job.curve[1] /= factor;
  job.curve[2] *= factor;
}

/// Without weights of users who submit nothing any more.
void forget_idle_users(WorkloadSpec& spec) {
  std::unordered_set<std::string> users;
  for (const JobSpec& job : spec.jobs) users.insert(job.user);
  std::erase_if(spec.users, [&](const UserSpec& user) { return !users.contains(user.user); });
}

Mistakes objections(const WorkloadSpec& spec, const WorkloadShape& shape,
                    const SourceLocation& where) {
  Mistakes mistakes;
  const auto follower =
      std::ranges::find_if(spec.jobs, [](const JobSpec& job) { return !job.after.empty(); });
  const auto refuse_followers = [&](const char* key) {
    if (follower == spec.jobs.end()) return;
    mistakes.add(
        {.location = where,
         .key = key,
         .what = fmt::format("job '{}' comes when '{}' has ended, so when jobs come is not "
                             "the workload's to say",
                             follower->job, follower->after),
         .hint = "it is for workloads without `after`"});
  };
  if (shape.resample > 0) refuse_followers("workload.resample");
  if (shape.load > 0) refuse_followers("workload.load");
  const auto tabled =
      std::ranges::find_if(spec.jobs, [](const JobSpec& job) { return !job.progress.empty(); });
  if (shape.scale_tasks != 1 && tabled != spec.jobs.end()) {
    mistakes.add({.location = where,
                  .key = "workload.scale_tasks",
                  .what = fmt::format("job '{}' has `progress` for its number of slots, which does "
                                      "not say how it goes with other tasks",
                                      tabled->job),
                  .hint = "somnus profile writes curves, which can be scaled"});
  }
  return mistakes;
}

/// `most` against absurd files: what check_workload() would say only once they are made.
Mistakes too_many_tasks(const WorkloadSpec& spec, const WorkloadShape& shape,
                        const SourceLocation& where) {
  Mistakes mistakes;
  double tasks = 0;
  for (const JobSpec& job : spec.jobs) {
    for (const StageSpec& stage : job.stages) tasks += static_cast<double>(stage.durations.size());
  }
  if (tasks * shape.scale_tasks > most_tasks) {
    mistakes.add({.location = where,
                  .key = "workload.scale_tasks",
                  .what = fmt::format("makes {:.0f} tasks of {:.0f}; at most {} can be emulated",
                                      tasks * shape.scale_tasks, tasks, most_tasks)});
  }
  return mistakes;
}

/// Times of submits from the first one on.
Mistakes set_load(WorkloadSpec& spec, double wanted, const Cluster& cluster,
                  const SourceLocation& where) {
  Mistakes mistakes;
  const OfferedLoad load = offered_load(spec, cluster);
  if (load.share <= 0 || load.share == infinity) {
    mistakes.add(
        {.location = where,
         .key = "workload.load",
         .what = load.share > 0
                     ? "all jobs come at one moment: there is no time between them to scale"
                     : "the jobs ask for nothing that the cluster has, so they are no load"});
    return mistakes;
  }
  const double first_s = spec.jobs.front().submit;
  for (JobSpec& job : spec.jobs) {
    job.submit = first_s + (job.submit - first_s) * (load.share / wanted);
  }
  return mistakes;
}

}  // namespace

Checked<WorkloadSpec> shaped(WorkloadSpec spec, const WorkloadShape& shape, const Cluster& cluster,
                             std::uint64_t seed, const SourceLocation& where) {
  if (shape == WorkloadShape() || spec.jobs.empty()) return spec;
  const double first_s = spec.jobs.front().submit;
  const double last_s = spec.jobs.back().submit;
  cut(spec, shape);
  if (spec.jobs.empty()) {
    return mistake({.location = where,
                    .key = shape.from_s > 0 ? "workload.from_s" : "workload.until_s",
                    .what = fmt::format("no job is left: they are submitted from {} s to {} s",
                                        first_s, last_s)});
  }
  Mistakes mistakes = objections(spec, shape, where);
  mistakes.append(too_many_tasks(spec, shape, where));
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  if (shape.resample > 0) resample(spec, shape.resample, seed);
  forget_idle_users(spec);
  if (shape.scale_tasks != 1) {
    for (JobSpec& job : spec.jobs) scale_tasks(job, shape.scale_tasks);
  }
  if (shape.load > 0) mistakes.append(set_load(spec, shape.load, cluster, where));
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  return check_workload(std::move(spec), where);
}

}  // namespace somnus
