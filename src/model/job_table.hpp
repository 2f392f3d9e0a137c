// The scheduler's books on jobs, stages and tasks: what has been submitted, what may run, what
// runs, what has ended, and what was estimated. Flat arrays; nothing is allocated per task.
// The engine writes it, policies read it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/bit_index.hpp"
#include "base/grid.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/demand_table.hpp"
#include "model/event.hpp"
#include "model/workload.hpp"

namespace somnus {

enum class TaskState : std::uint8_t { waiting, running, ended };

class JobTable {
 public:
  /// The catalogue must outlive the table.
  explicit JobTable(const Catalogue& catalogue);

  [[nodiscard]] const Catalogue& catalogue() const { return *catalogue_; }

  // Jobs.
  [[nodiscard]] bool arrived(JobId job) const { return jobs_[job.index()].arrived; }
  /// Nothing of it runs or will: it has finished, or failed.
  [[nodiscard]] bool ended(JobId job) const { return jobs_[job.index()].counts.unfinished == 0; }
  [[nodiscard]] bool failed(JobId job) const { return jobs_[job.index()].failed; }
  [[nodiscard]] Time arrival(JobId job) const { return jobs_[job.index()].arrival; }
  /// What the scheduler was told of the job's slot-time, all stages; of each in whole nanoseconds,
  /// so that sums are exact.
  [[nodiscard]] Duration slot_time(JobId job) const { return jobs_[job.index()].slot_time; }
  /// Estimated work of the tasks that have not ended, each at its stage's mean; running ones count
  /// in full.
  [[nodiscard]] FineWork work_left(JobId job) const { return jobs_[job.index()].work_left; }
  [[nodiscard]] Duration remaining(JobId job) const { return work_left(job).whole_ns(); }
  /// What its running tasks hold.
  [[nodiscard]] const ResourceTotals& allocated(JobId job) const {
    static constexpr ResourceTotals nothing;
    return allocated_.empty() ? nothing : allocated_[job.index()];
  }
  [[nodiscard]] std::uint32_t running(JobId job) const { return of(job).running; }
  [[nodiscard]] std::uint32_t runnable(JobId job) const { return of(job).runnable; }
  [[nodiscard]] std::uint32_t unfinished(JobId job) const { return of(job).unfinished; }
  /// Stages of one job are in the order that it was given, else as they are numbered; the first
  /// with runnable tasks, invalid if it has none.
  [[nodiscard]] StageId head(JobId job) const { return jobs_[job.index()].head; }
  /// The next such stage of the same job; invalid if there is none. A few steps, however many
  /// stages lie between.
  [[nodiscard]] StageId runnable_after(StageId stage) const;
  /// Of all jobs in turn, the first stage with runnable tasks; invalid if there is none.
  [[nodiscard]] StageId first_runnable() const { return runnable_from(0); }
  /// And the next one after that.
  [[nodiscard]] StageId next_runnable(StageId stage) const {
    return runnable_from(place(stage) + 1);
  }
  /// Where it stands among the stages of all jobs, in that order.
  [[nodiscard]] std::uint32_t place(StageId stage) const {
    return place_.empty() ? stage.value() : place_[stage.index()];
  }
  [[nodiscard]] StageId stage_at(std::uint32_t place) const {
    return stage_at_.empty() ? StageId(place) : stage_at_[place];
  }

  // Stages.
  [[nodiscard]] bool ready(StageId stage) const { return stages_[stage.index()].waits_for == 0; }
  /// When all its parents had ended, as the scheduler knew; never before that.
  [[nodiscard]] Time ready_time(StageId stage) const { return stages_[stage.index()].ready; }
  [[nodiscard]] Duration slot_time(StageId stage) const { return stages_[stage.index()].slot_time; }
  /// What each of its tasks asks for, as the scheduler was told.
  [[nodiscard]] const Demand& demand(StageId stage) const {
    return demands_[stages_[stage.index()].demand];
  }
  [[nodiscard]] const Demand& demand(DemandId id) const { return demands_[id]; }
  /// Mean over the stage's tasks.
  [[nodiscard]] Duration task_estimate(StageId stage) const {
    return stages_[stage.index()].of_task.whole_ns();
  }
  [[nodiscard]] std::uint32_t running(StageId stage) const { return of(stage).running; }
  [[nodiscard]] std::uint32_t runnable(StageId stage) const { return of(stage).runnable; }
  [[nodiscard]] std::uint32_t unfinished(StageId stage) const { return of(stage).unfinished; }
  /// Whether each of its tasks has.
  [[nodiscard]] bool finished(StageId stage) const {
    return unfinished(stage) == 0 && stages_[stage.index()].given_up == 0;
  }

  // Users.
  [[nodiscard]] std::uint32_t running(UserId user) const { return users_[user.index()].running; }

  // Queues.
  /// What the queue's running tasks hold.
  [[nodiscard]] const ResourceTotals& allocated(QueueId queue) const {
    return of_queues_[queue.index()];
  }
  [[nodiscard]] std::uint32_t running(QueueId queue) const { return of(queue).running; }
  [[nodiscard]] std::uint32_t active_jobs(QueueId queue) const { return of(queue).active_jobs; }

  // Tasks.
  [[nodiscard]] TaskState state(TaskId task) const { return task_state_[task.index()]; }
  /// Number of the attempt that runs, or else would be next.
  [[nodiscard]] std::uint16_t attempt(TaskId task) const { return task_attempt_[task.index()]; }
  /// Where it runs; meaningful while it does.
  [[nodiscard]] NodeId node(TaskId task) const { return task_node_[task.index()]; }

  // All.
  [[nodiscard]] std::uint64_t runnable_tasks() const { return runnable_tasks_; }
  [[nodiscard]] std::uint64_t running_tasks() const { return running_tasks_; }
  [[nodiscard]] std::uint32_t active_jobs() const { return active_jobs_; }
  [[nodiscard]] std::uint32_t active_users() const { return active_users_; }
  [[nodiscard]] std::uint32_t ended_jobs() const { return ended_jobs_; }

  // Changes, by the engine.
  void estimate(const StageEstimated& told);
  /// Before the job arrives: all its stages, the first first.
  void order_stages(JobId job, std::span<const StageId> in_order);
  void arrive(Time now, JobId job);
  /// Takes the stage's next task: one that lost an attempt first, else the next in order.
  TaskId launch(StageId stage, NodeId node);
  struct Effect {
    bool runnable_again = false;  // its stage had no runnable task, and has one now
    bool stage_ended = false;
    bool job_ended = false;
  };
  Effect end(TaskId task, Outcome outcome);
  /// The job has failed: those of its tasks that do not run are given up, those that run are wanted
  /// no longer.
  void fail(JobId job);
  /// One parent fewer to wait for; true if the stage can run now.
  bool parent_ended(Time now, StageId stage);

 private:
  struct Counts {
    std::uint32_t runnable = 0;
    std::uint32_t running = 0;
    std::uint32_t unfinished = 0;
  };
  struct JobState {
    Counts counts;
    StageId head;
    Time arrival = never;
    Duration slot_time{};
    FineWork work_left;
    bool arrived = false;
    bool failed = false;
  };
  struct StageState {
    Counts counts;
    std::uint32_t next = 0;      // first task that never ran
    std::uint32_t given_up = 0;  // tasks that never will finish
    std::uint32_t waits_for = 0;
    Time ready = never;
    Duration slot_time{};
    FineWork of_task;  // mean
    DemandId demand{0U};
  };

  /// Of a user or a queue.
  struct GroupState {
    std::uint32_t active_jobs = 0;
    std::uint32_t running = 0;
  };

  [[nodiscard]] const Counts& of(JobId job) const { return jobs_[job.index()].counts; }
  [[nodiscard]] const GroupState& of(QueueId queue) const { return queues_[queue.index()]; }
  [[nodiscard]] const Counts& of(StageId stage) const { return stages_[stage.index()].counts; }
  void make_runnable(StageId stage, std::uint32_t tasks);
  void close(JobId job);
  [[nodiscard]] StageId runnable_from(std::uint32_t place) const {
    const std::uint32_t first = runnable_stages_.first(place);
    return first == BitIndex::none ? StageId() : stage_at(first);
  }

  void allocate(const Stage& stage, DemandId demand, std::int64_t times);

  const Catalogue* catalogue_;
  DemandTable demands_;
  std::vector<JobState> jobs_;
  std::vector<ResourceTotals> allocated_;  // by job; empty while nobody asks for anything
  std::vector<StageState> stages_;
  BitIndex runnable_stages_;          // by place
  std::vector<std::uint32_t> place_;  // by stage; empty while no job was given an order
  std::vector<StageId> stage_at_;     // by place; the same
  std::vector<TaskState> task_state_;
  std::vector<std::uint16_t> task_attempt_;
  std::vector<NodeId> task_node_;
  std::unordered_map<StageId, std::vector<TaskId>> again_;  // tasks that lost an attempt
  std::vector<GroupState> users_;
  std::vector<GroupState> queues_;
  std::vector<ResourceTotals> of_queues_;  // what their running tasks hold
  std::uint64_t runnable_tasks_ = 0;
  std::uint64_t running_tasks_ = 0;
  std::uint32_t active_jobs_ = 0;
  std::uint32_t active_users_ = 0;
  std::uint32_t ended_jobs_ = 0;
};

}  // namespace somnus
