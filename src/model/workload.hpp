// Job > Stage > Task, flat. A workload is two things of different kind:
//
// * the Catalogue: what a resource manager gets when a job arrives (shape, user, weight, ...);
// * the Truth: what each task will really take and use. What a node needs of it travels there and
//   nowhere else. Schedulers are built from a Catalogue and never see a Truth; their estimates
//   come from src/scheduler.
//
// Jobs are ordered by (submit, place in the file). A job's stages are adjacent, and so are a
// stage's tasks, so ids index flat arrays.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/catalogue.hpp"
#include "model/partition.hpp"
#include "model/resources.hpp"
#include "model/task_times.hpp"
#include "model/workload_spec.hpp"

namespace somnus {

/// How long a task really takes, warm, on a normal node. A type of its own, so that it can't be
/// handed to code that expects an estimate.
struct TrueDuration {
  Duration value{};
};

/// What was measured where a task's slot had run something else before.
struct ColdDurations {
  Duration first{};  // another stage of the app
  Duration fresh{};  // another app, or nothing
};

struct Truth {
  std::vector<TrueDuration> tasks;  // by TaskId
  std::vector<ColdDurations> cold;  // by TaskId; empty: none was measured
  std::vector<Resources> demands;   // by StageId, of one task; empty: only slots count
  std::vector<double> warmup;       // by JobId: cold / warm factor; 0 = config's

  [[nodiscard]] Duration operator[](TaskId task) const { return tasks[task.index()].value; }
  /// What a node needs to know of the task, which is the job's.
  [[nodiscard]] TaskTimes times(JobId job, TaskId task) const {
    const Duration nominal = (*this)[task];
    TaskTimes times = TaskTimes::alike(nominal, warmup[job.index()]);
    if (cold.empty()) return times;
    times.first = cold[task.index()].first;
    times.fresh = cold[task.index()].fresh;
    return times;
  }
  [[nodiscard]] Resources demand(StageId stage) const {
    return demands.empty() ? Resources() : demands[stage.index()];
  }
  [[nodiscard]] std::span<const TrueDuration> of(const Stage& stage) const {
    return std::span(tasks).subspan(stage.first_task.index(), stage.tasks);
  }
  [[nodiscard]] std::span<const TrueDuration> of(const Job& job) const {
    return std::span(tasks).subspan(job.first_task.index(), job.tasks);
  }
};

/// Sum of the tasks' true durations: the time on one warm slot.
[[nodiscard]] Duration slot_time(std::span<const TrueDuration> tasks);

struct Names {
  std::vector<std::string> jobs;
  std::vector<std::string> users;
  std::vector<std::string> queues;
  std::vector<std::string> accounts;
  std::vector<std::string> qos;
  std::vector<std::string> apps;
};

struct Workload {
  std::string name;
  std::vector<std::string> resources;  // names of the kinds of demand
  Catalogue catalogue;
  Truth truth;
  Names names;
  // Of a rigid source (WorkloadSpec::rigid), those with tasks that start one by one here.
  std::uint32_t rigid_jobs = 0;
  // Kinds that its tasks demand and that do not count, and that the config does not say to ignore.
  std::vector<std::string> uncounted_kinds{};
  std::string digest;  // of the content, 16 hex digits
};

/// Flattens a valid spec (see src/workload for what is valid). Jobs are put in order of submit,
/// ties as they stand; divisible stages are cut as `partitioning` says.
[[nodiscard]] Workload assemble(const WorkloadSpec& spec, const Partitioning& partitioning);

}  // namespace somnus
