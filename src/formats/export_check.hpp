// What writers of other formats have in common: jobs that a format can't say, and what of a
// workload it has no place for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/workload.hpp"
#include "text/mistake_collector.hpp"

namespace somnus {

/// What a format may have no place for.
enum class Feature {
  names,  // of jobs
  users,
  queues,
  accounting,  // account, qos, nice
  apps,
  weights,  // of jobs and users
  estimates,
  limits,
  demands,
  affinity,
  warmth,  // warmup, fresh, first
  curves,  // curve, progress
  gangs,
  exclusive,  // nodes
  rigid,
};

/// Whether it names an account or a QOS or is nice.
[[nodiscard]] inline bool has_accounting(const JobSpec& job) {
  return !job.account.empty() || !job.qos.empty() || job.nice != 0;
}

/// Those that the workload says and that are not in `kept`, in words: "users", "weights".
[[nodiscard]] std::vector<std::string> lost_without(const WorkloadSpec& workload,
                                                    const std::vector<Feature>& kept);

/// "job 'q17': expected tasks, found divisible work": that it can't be said.
void refuse_job(MistakeCollector& report, const JobSpec& job, std::string what,
                std::string hint = "");
/// If the job has divisible work.
void refuse_divisible(MistakeCollector& report, const JobSpec& job);
/// If the job comes when another has ended.
void refuse_following(MistakeCollector& report, const JobSpec& job);

}  // namespace somnus
