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

#include "base/describe.hpp"
#include "model/workload.hpp"

namespace somnus {

/// A generator's struct begins with these; which defaults it has is its own affair.
struct Submissions {
  std::uint32_t jobs = 300;
  std::uint32_t jobs_active = 40;
  double stagger_s = 60;
  double jobs_per_minute = 60;
  double queue_b_share = 0;

  static constexpr auto fields() {
    using P = Submissions;
    return in_order(
        field("jobs", &P::jobs, "1", "how many in all", Range{.low = 1, .high = 1e6}),
        field("jobs_active", &P::jobs_active, "1",
              "so many at any time; 0: they come at independent times",
              Range{.low = 0, .high = 1e6}),
        field("stagger_s", &P::stagger_s, "s", "the first jobs_active jobs start within that time",
              Range{.low = 0, .high = 1e6}),
        field("jobs_per_minute", &P::jobs_per_minute, "1/min", "on average, where jobs_active = 0",
              Range{.low = 1e-6, .high = 1e6}),
        field("queue_b_share", &P::queue_b_share, "1",
              "of jobs in queue B, the others in A; 0: no queues", probability));
  }
};

/// So many jobs of that user, in order of their numbers and still without stages. Draws from
/// streams by the workload's `name`, so that what stages will be and when jobs come stay apart.
[[nodiscard]] WorkloadSpec submissions(const std::string& name, const std::string& user,
                                       const Submissions& with, std::uint64_t seed);

/// As files have them.
[[nodiscard]] WorkloadSpec in_order_of_submit(WorkloadSpec workload);

/// What is wrong with a workload of that many tasks, if anything: it should fit into memory.
[[nodiscard]] std::optional<std::string> too_many_tasks(double tasks);

}  // namespace somnus
