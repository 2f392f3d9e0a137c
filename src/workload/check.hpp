// What holds for every workload, read or generated. Readers and generators use this one list.
//
// * At least one job; names of jobs are not empty and unique; user and queue are not empty.
// * Jobs stand in order of submit; submits are 0 s to last_given_seconds, durations to
//   longest_exact_seconds.
// * A job that follows another names an earlier one; think is a time, and 0 where nothing precedes.
// * weight is 0.001 to 1000; estimate > 0 or not given; warmup 1 to 1000 or not given; a
//   curve has four coefficients or is a table, not both, and is above 0 on 1 to as many slots as
//   the widest stage has tasks.
// * A job has stages with distinct numbers; parents are other stages of the same job, each named
//   once, without a cycle.
// * A stage has durations, or work > 0 (then skew >= 0 and not all zero), not both. Beside
//   durations it may have fresh and first, times as many as these.
// * A stage's affinity names each node once, by a number of 0 to most_node.
// * At most six kinds of resource, distinct; demands are 0 to Resources::most of declared kinds.
// * Each listed user is listed once, has a weight of 0.001 to 1000 and submits a job.
// * There are at most 100 million tasks, and the slot-time of a job fits a Duration.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/error.hpp"
#include "model/limits.hpp"
#include "model/workload.hpp"

namespace somnus {

/// What is_nice() takes, in words.
inline constexpr const char* a_nice = "a whole number from -2147483645 to 2147483645";
/// "expected 0.001 to 1000, found 0"
[[nodiscard]] std::string not_a_weight(double found);
/// "0 to 8300000 s", for a longer time with the reason.
[[nodiscard]] std::string a_time(double found);
/// "expected 0 to 8300000 s, found -1"
[[nodiscard]] std::string not_a_time(double found);
[[nodiscard]] std::string not_a_submit(double found);

/// Called with the key inside the job ("stages[1].parents[0]"), what is wrong, and a hint.
using OnWrong = std::function<void(std::string key, std::string what, std::string hint)>;

void check_resources(const std::vector<std::string>& resources, const OnWrong& wrong);
/// But for their jobs, of which JobCheck knows.
void check_users(const std::vector<UserSpec>& users, const OnWrong& wrong);

/// Called with a workload's jobs in order; remembers what later jobs are held against.
class JobCheck {
 public:
  /// `resources` must outlive it.
  explicit JobCheck(const std::vector<std::string>& resources) : resources_(resources) {}

  void operator()(const JobSpec& job, const OnWrong& wrong);

  /// After the last job: which of the listed users submit none.
  void find_idle(const std::vector<UserSpec>& users, const OnWrong& wrong);

 private:
  void check_after(const JobSpec& job, const OnWrong& wrong);
  void check_stage(const StageSpec& stage, const std::string& key, const OnWrong& wrong);
  void count(const StageSpec& stage, const std::string& key, const OnWrong& wrong);
  [[nodiscard]] std::string meant_by(const std::string& name,
                                     const std::unordered_set<std::string>& known);

  const std::vector<std::string>& resources_;
  std::unordered_set<std::string> names_;
  std::unordered_set<std::string> users_;
  int hints_ = 0;
  double last_submit_ = 0;
  std::uint64_t tasks_ = 0;
  double slot_time_s_ = 0;  // of the job so far
};

/// The whole list over a whole workload; keys begin with "jobs[INDEX]", `place` stands before each.
[[nodiscard]] Checked<WorkloadSpec> check_workload(WorkloadSpec workload,
                                                   const SourceLocation& place = {});

}  // namespace somnus
