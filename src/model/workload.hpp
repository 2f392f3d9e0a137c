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
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/partition.hpp"
#include "model/progress_curve.hpp"
#include "model/resources.hpp"
#include "model/task_times.hpp"
#include "model/workload_spec.hpp"

namespace somnus {

struct User {
  double weight = 1;  // relative share among users
  friend constexpr bool operator==(const User&, const User&) = default;
};

/// What a batch system counts a job for, and how it ranks it.
struct Accounting {
  AccountId account;  // invalid: of none
  QosId qos;          // the same
  std::int32_t nice = 0;
  friend constexpr bool operator==(const Accounting&, const Accounting&) = default;
};

struct Job {
  Time submit;       // of a job that follows another: not before this
  JobId after;       // arrives once that one has ended; invalid: at `submit`
  Duration think{};  // and that much later
  double weight = 1;
  double estimate = 0;  // of its slot-time, slot-seconds, as a profile says; 0: none
  UserId user;
  QueueId queue;
  AppId app;
  StageId first_stage;
  std::uint32_t stages = 0;
  TaskId first_task;
  std::uint32_t tasks = 0;
};

struct Stage {
  JobId job;
  std::uint32_t label = 0;  // the user's number of the stage
  bool divisible = false;   // its tasks are what a partitioner cut
  bool gang = false;       // its tasks start together, and hold what they have until all have ended
  bool exclusive = false;  // a gang, maybe of one task, on whose nodes nobody else is

  /// Whether all of it starts at one decision and ends at one: a gang, or a single task.
  [[nodiscard]] bool is_one_unit() const { return gang || tasks == 1; }
  TaskId first_task;
  std::uint32_t tasks = 0;
  std::uint32_t first_parent = 0;  // into Catalogue::parents
  std::uint32_t parents = 0;
  std::uint32_t first_child = 0;  // into Catalogue::children
  std::uint32_t children = 0;
  std::uint32_t first_affinity = 0;  // into Catalogue::affinity
  std::uint32_t affinity = 0;        // how many nodes it prefers; 0: all alike
};

struct Catalogue {
  std::vector<Job> jobs;
  std::vector<Stage> stages;
  std::vector<StageId> parents;
  std::vector<StageId> children;
  std::vector<NodeId> affinity;
  std::vector<StageId> stage_of;      // by TaskId
  std::vector<ProgressCurve> curves;  // by JobId; empty: no job's is known
  // By JobId, of the whole run from the job's first launch, zero: none; empty: no job has one.
  std::vector<Duration> limits;
  std::vector<Accounting> accounting;  // by JobId; empty: nothing is said of any
  std::uint32_t tasks = 0;
  std::vector<User> users;
  std::uint32_t queues = 0;
  std::uint32_t apps = 0;

  [[nodiscard]] const User& operator[](UserId user) const { return users[user.index()]; }
  [[nodiscard]] const Job& operator[](JobId job) const { return jobs[job.index()]; }
  [[nodiscard]] const Stage& operator[](StageId stage) const { return stages[stage.index()]; }
  [[nodiscard]] std::span<const StageId> parents_of(const Stage& stage) const {
    return std::span(parents).subspan(stage.first_parent, stage.parents);
  }
  [[nodiscard]] std::span<const StageId> children_of(const Stage& stage) const {
    return std::span(children).subspan(stage.first_child, stage.children);
  }
  /// The nodes that its tasks prefer, where its data is, in the user's order.
  [[nodiscard]] std::span<const NodeId> affinity_of(const Stage& stage) const {
    return std::span(affinity).subspan(stage.first_affinity, stage.affinity);
  }
  /// Not known, where users gave none.
  [[nodiscard]] const ProgressCurve& curve(JobId job) const;
  /// For how long the job may run from its first launch; none: for any time.
  [[nodiscard]] std::optional<Duration> limit(JobId job) const;
  [[nodiscard]] Accounting accounting_of(JobId job) const {
    return job.index() < accounting.size() ? accounting[job.index()] : Accounting();
  }
  /// Whether any stage is a gang.
  [[nodiscard]] bool has_gangs() const;
  /// Whether any stage has its nodes for itself.
  [[nodiscard]] bool has_exclusive() const;
  /// Most slots that the job can use at once: the tasks of its widest stage.
  [[nodiscard]] std::uint32_t parallelism(const Job& job) const;
  /// Of one job, in order.
  [[nodiscard]] std::span<const Stage> stages_of(const Job& job) const {
    return std::span(stages).subspan(job.first_stage.index(), job.stages);
  }
};

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
  std::string digest;  // of the content, 16 hex digits
};

/// Flattens a valid spec (see src/workload for what is valid). Jobs are put in order of submit,
/// ties as they stand; divisible stages are cut as `partitioning` says.
[[nodiscard]] Workload assemble(const WorkloadSpec& spec, const Partitioning& partitioning);

}  // namespace somnus
