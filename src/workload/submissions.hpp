// How a benchmark of one user submits its jobs, in one of two ways:
//
// * jobs_active > 0: a closed loop. So many chains of jobs run side by side, each job after the end
//   of the one before it, so that as many jobs are active until the last ones run out. Job i is in
//   chain i modulo jobs_active. Equal jobs that start together would march in step for ever, so
//   chains start at U[0, stagger_s).
// * jobs_active = 0: an open one. Jobs come at independent times, jobs_per_minute on average,
//   whatever the cluster does with them.
//
// With queue_b_share > 0 a job goes to queue "B" with that probability, and else to "A", as in the
// capacity experiment of Yaq, Fig. 8, which has 0.5; with 0 all go to the default queue.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/workload.hpp"
#include "workload/number_parameters.hpp"

namespace somnus {

struct SubmissionDefaults {
  std::string jobs;
  std::string jobs_active;
  std::string jobs_per_minute;
};

/// Those named above, `jobs` first, then the generator's own.
[[nodiscard]] std::vector<NumberParameter> submission_parameters(const SubmissionDefaults& defaults,
                                                                 std::vector<NumberParameter> own);

/// So many jobs of that user, in order of their numbers and still without stages. Draws from
/// streams by the workload's `name`, so that what stages will be and when jobs come stay apart.
[[nodiscard]] WorkloadSpec submissions(const std::string& name, const std::string& user,
                                       const NumberValues& values, std::uint64_t seed);

/// As files have them.
[[nodiscard]] WorkloadSpec in_order_of_submit(WorkloadSpec workload);

/// What is wrong with a workload of that many tasks, if anything: it should fit into memory.
[[nodiscard]] std::optional<std::string> too_many_tasks(double tasks);

}  // namespace somnus
