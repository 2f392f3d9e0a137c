// What a scheduler gets in place of true slot-times, task durations and demands (CFQ, section V
// "job profiling"; policies.md 2.4). An estimator may see the truth; a scheduler may not.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/time.hpp"
#include "model/cluster.hpp"
#include "model/event.hpp"
#include "model/workload.hpp"

namespace somnus {

class Estimator {
 public:
  virtual ~Estimator() = default;
  /// Called once, when the job arrives and before slot_time() and own() of it.
  virtual void job_arrived(JobId) {}
  /// Of all the stage's tasks, on one warm slot.
  [[nodiscard]] virtual Estimate slot_time(StageId stage) const = 0;
  /// What each of its tasks asks for; zero where only slots count.
  [[nodiscard]] virtual Amounts demand(StageId stage) const = 0;
  /// Of just this task.
  [[nodiscard]] virtual Estimate own(TaskId task) const = 0;
  /// A task has finished; it took that long, as its node measured.
  virtual void task_finished(Duration) {}
};

/// The truth.
[[nodiscard]] std::unique_ptr<Estimator> exact_estimator(const Workload& workload);

/// The truth times its job's factor (by job).
[[nodiscard]] std::unique_ptr<Estimator> scaled_estimator(const Workload& workload,
                                                          std::vector<double> factors);
/// Factors U[1 - error, 1 + error], drawn once for each job.
[[nodiscard]] std::vector<double> uniform_factors(std::size_t jobs, double error,
                                                  std::uint64_t seed);
/// Factors that make each job's slot-time what the workload gives as its estimate; 1 without one.
[[nodiscard]] std::vector<double> given_factors(const Workload& workload);

/// Number of tasks times the cumulative average of the run times of all tasks that have finished
/// by the job's arrival; default_task_s before any has.
[[nodiscard]] std::unique_ptr<Estimator> naive_estimator(const Workload& workload,
                                                         double default_task_s);

/// The mean of the stage's tasks, as earlier runs of the same job would have shown: right for the
/// stage as a whole, deliberately imprecise for each task (policies.md 4.1).
[[nodiscard]] std::unique_ptr<Estimator> stage_mean_estimator(const Workload& workload);

/// `factor` times that demand, but of no kind more than the first group of nodes has that the task
/// really fits: it would wait for ever.
[[nodiscard]] Resources misjudged(const Resources& demand, double factor, const Cluster& cluster);

/// What that one says, but demands are misjudged so and tasks take 1 / factor as long: the work
/// that they do is the same (Carbyne, section 5.4.2; policies.md 6.8).
[[nodiscard]] std::unique_ptr<Estimator> misjudged_demands(std::unique_ptr<Estimator> estimator,
                                                           double factor, const Workload& workload,
                                                           const Cluster& cluster);

}  // namespace somnus
