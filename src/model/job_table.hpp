// The scheduler's state of jobs, stages and tasks: what has been submitted, what may run, what
// runs, what has ended, and what was estimated. Flat arrays; nothing is allocated per task.
// The engine writes it; policies read what has arrived through a JobsView (src/scheduler). Of a job
// that was not introduced the table has nothing but its index.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/bit_index.hpp"
#include "base/fetch.hpp"
#include "base/grid.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/catalogue.hpp"
#include "model/demand_table.hpp"
#include "model/event.hpp"

namespace somnus {

enum class TaskState : std::uint8_t { waiting, running, ended };

/// The attempt of a task beside the one that runs.
struct OtherAttempt {
  enum class State : std::uint8_t {
    due,       // a backup that has not been launched
    running,   // a backup beside its original
    unwanted,  // the task has finished by the other one; its node has not said that it is over
    over,      // a backup that has ended in vain; its original goes on
  };
  State state = State::due;
  Time since{};               // when it was due
  std::uint16_t attempt = 0;  // unless it is due
  NodeId node;                // the same
};

class JobTable {
 public:
  /// The catalogue must outlive the table.
  explicit JobTable(const Catalogue& catalogue);

  [[nodiscard]] const Catalogue& catalogue() const { return *catalogue_; }

  /// The last event's or round's.
  [[nodiscard]] Time now() const { return now_; }
  void advance(Time now) { now_ = now; }

  // Jobs.
  /// Whether the scheduler knows that it is there: it arrives now, or has.
  [[nodiscard]] bool known(JobId job) const {
    return job.index() < jobs_.size() && jobs_[job.index()].known;
  }
  [[nodiscard]] bool arrived(JobId job) const { return jobs_[job.index()].arrived; }
  /// Nothing of it runs or will: it has finished, or failed.
  [[nodiscard]] bool ended(JobId job) const {
    const JobState& state = jobs_[job.index()];
    return state.known && state.counts.unfinished == 0;
  }
  [[nodiscard]] bool failed(JobId job) const { return jobs_[job.index()].failed; }
  [[nodiscard]] Time arrival(JobId job) const { return jobs_[job.index()].arrival; }
  /// The job's estimated slot-time, all stages; of each in whole nanoseconds,
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
  /// Attempts that have not been launched and will be, as far as is known: of each task that
  /// neither runs nor has ended one, and backups that are due.
  [[nodiscard]] std::uint32_t unstarted(JobId job) const {
    return unfinished(job) - running(job) + count(others_of_jobs_, job);
  }
  /// Of its time limit: what it had had when all that ran of it was suspended; 0: it never was, or
  /// it began anew.
  [[nodiscard]] Duration had_of_limit(JobId job) const {
    return suspensions_.empty() ? Duration::zero() : suspension_of(job).had;
  }
  /// Its time stands still: nothing of it runs, and some of it is suspended.
  [[nodiscard]] bool stands_still(JobId job) const {
    return !suspensions_.empty() && suspension_of(job).went_on == never;
  }
  /// It has gone on just now.
  [[nodiscard]] bool goes_on(JobId job) const {
    return !suspensions_.empty() && suspension_of(job).went_on == now_;
  }
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
    return runnable_from(position(stage) + 1);
  }
  /// Where it stands among the stages of all jobs, in that order.
  [[nodiscard]] std::uint32_t position(StageId stage) const {
    return position_.empty() ? stage.value() : position_[stage.index()];
  }
  [[nodiscard]] StageId stage_at(std::uint32_t position) const {
    return stage_at_.empty() ? StageId(position) : stage_at_[position];
  }

  // Stages.
  /// As of its job.
  [[nodiscard]] bool known(StageId stage) const {
    return stage.index() < stages_.size() && stages_[stage.index()].waits_for != unknown;
  }
  [[nodiscard]] bool ready(StageId stage) const { return stages_[stage.index()].waits_for == 0; }
  /// When all its parents had ended, as the scheduler knew; never before that.
  [[nodiscard]] Time ready_time(StageId stage) const { return stages_[stage.index()].ready; }
  [[nodiscard]] Duration slot_time(StageId stage) const { return stages_[stage.index()].slot_time; }
  /// What each of its tasks asks for, as estimated.
  [[nodiscard]] const Demand& demand(StageId stage) const {
    return demands_[stages_[stage.index()].demand];
  }
  [[nodiscard]] const Demand& demand(DemandId id) const { return demands_[id]; }
  /// Mean over the stage's tasks.
  [[nodiscard]] Duration task_estimate(StageId stage) const {
    return stages_[stage.index()].task_estimate;
  }
  [[nodiscard]] std::uint32_t running(StageId stage) const { return of(stage).running; }
  [[nodiscard]] std::uint32_t runnable(StageId stage) const { return of(stage).runnable; }
  [[nodiscard]] std::uint32_t unfinished(StageId stage) const { return of(stage).unfinished; }
  /// As of a job.
  [[nodiscard]] std::uint32_t unstarted(StageId stage) const {
    return unfinished(stage) - running(stage) + count(others_of_stages_, stage);
  }
  [[nodiscard]] bool has_backups_due(StageId stage) const { return due_.contains(stage); }
  /// Whether each of its tasks has.
  [[nodiscard]] bool finished(StageId stage) const {
    return known(stage) && unfinished(stage) == 0 && stages_[stage.index()].given_up == 0;
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
  [[nodiscard]] TaskState state(TaskId task) const { return tasks_[task.index()].state; }
  /// Number of the attempt that runs, of two the one that was launched first, or else would be
  /// next.
  [[nodiscard]] std::uint16_t attempt(TaskId task) const { return tasks_[task.index()].attempt; }
  /// Where it runs; meaningful while it does.
  [[nodiscard]] NodeId node(TaskId task) const { return tasks_[task.index()].node; }
  /// nullptr: there is none.
  [[nodiscard]] const OtherAttempt* other(TaskId task) const {
    if (others_.empty()) return nullptr;
    const auto found = others_.find(task);
    return found == others_.end() ? nullptr : &found->second;
  }
  /// Number of the attempt that was launched last.
  [[nodiscard]] std::uint16_t last_attempt(TaskId task) const {
    const OtherAttempt* const backup = other(task);
    const bool is_it = backup != nullptr && backup->state == OtherAttempt::State::running;
    return is_it ? backup->attempt : attempt(task);
  }
  /// Calls visit(attempt, node) for each attempt that is on a node, as far as is known; also for
  /// one that is not wanted any more.
  template <class Visit>
  void for_each_on_node(TaskId task, Visit&& visit) const {
    if (state(task) == TaskState::running) visit(attempt(task), node(task));
    const OtherAttempt* const second = other(task);
    if (second != nullptr && is_on_node(*second)) visit(second->attempt, second->node);
  }
  [[nodiscard]] bool is_on_node(TaskId task, std::uint16_t attempt, NodeId node) const {
    bool found = false;
    for_each_on_node(task, [&](std::uint16_t number, NodeId where) {
      found |= number == attempt && where == node;
    });
    return found;
  }
  /// Its task has finished by another one, and its node has not yet said that it is over.
  [[nodiscard]] bool unwanted(TaskId task, std::uint16_t attempt) const {
    const OtherAttempt* const second = other(task);
    return second != nullptr && second->state == OtherAttempt::State::unwanted &&
           second->attempt == attempt;
  }

  // Its end is about to be handled: what it needs is brought near. Each reads what the one before
  // it has brought.
  [[gnu::always_inline]] void fetch(TaskId task) const {
    somnus::fetch(tasks_.data() + task.index());
    somnus::fetch(catalogue_->stage_of.data() + task.index());
  }
  [[gnu::always_inline]] void fetch_stage(TaskId task) const {
    if (task.index() >= tasks_.size()) return;
    const std::size_t stage = catalogue_->stage_of[task.index()].index();
    somnus::fetch(catalogue_->stages.data() + stage);
    somnus::fetch(stages_.data() + stage);
  }
  [[gnu::always_inline]] void fetch_job(TaskId task) const {
    if (task.index() >= tasks_.size()) return;
    const std::size_t job = (*catalogue_)[catalogue_->stage_of[task.index()]].job.index();
    somnus::fetch(&catalogue_->jobs[job].user);
    somnus::fetch(jobs_.data() + job);
  }

  // All.
  [[nodiscard]] std::uint64_t runnable_tasks() const { return runnable_tasks_; }
  [[nodiscard]] std::uint64_t running_tasks() const { return running_tasks_; }
  /// Attempts that are; see unwanted().
  [[nodiscard]] std::uint32_t unwanted_attempts() const { return unwanted_attempts_; }
  [[nodiscard]] std::uint32_t active_jobs() const { return active_jobs_; }
  [[nodiscard]] std::uint32_t active_users() const { return active_users_; }
  [[nodiscard]] std::uint32_t ended_jobs() const { return ended_jobs_; }

  // Changes, by the engine.
  /// From now on its facts are known. Nothing, if they are.
  void introduce(JobId job);
  void estimate(const StageEstimated& estimated);
  /// Before the job arrives: all its stages, the first first.
  void order_stages(JobId job, std::span<const StageId> in_order);
  void arrive(Time now, JobId job);
  /// Takes the stage's next task: one that lost an attempt first, else the next in order, and if
  /// there is none a backup that is due, if possible one whose original is elsewhere.
  TaskId launch(StageId stage, NodeId node);
  /// Bits of one byte: three bytes go through memory, where they wait for all stores before them.
  struct Effect {
    bool runnable_again : 1 = false;  // its stage had no runnable task, and has one now
    bool stage_ended : 1 = false;
    bool job_ended : 1 = false;
  };
  /// Of an attempt that runs. If the task finishes there must be no other one: it is to be
  /// withdrawn or given up before. If it does not, and a backup runs, that goes on; one that is due
  /// becomes the task's next attempt.
  Effect end(TaskId task, std::uint16_t attempt, Outcome outcome);
  Effect end(TaskId task, Outcome outcome) { return end(task, attempt(task), outcome); }
  /// A task that runs, and that has never had one, may have a backup launched.
  void make_due(Time now, TaskId task);
  /// The backup that is due is not to be launched. Returns whether its stage has no runnable task
  /// left.
  bool withdraw(TaskId task);
  /// Of two attempts that run the other one than `best` counts no more; it is unwanted, and
  /// returned.
  OtherAttempt give_up_other(TaskId task, std::uint16_t best);
  /// The unwanted one is over.
  void forget_unwanted(TaskId task);
  /// The job has failed: those of its tasks that do not run are given up, those that run are wanted
  /// no longer.
  void fail(JobId job);
  /// All that ran of it is suspended, and it has had so much of its time limit.
  void stand_still(JobId job, Duration had) { suspensions_[job] = {.had = had, .went_on = never}; }
  void go_on(Time now, JobId job) { suspensions_[job].went_on = now; }
  void begin_anew(JobId job) { suspensions_.erase(job); }
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
    bool known = false;
    bool arrived = false;
    bool failed = false;
  };
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};
  struct StageState {
    Counts counts;
    std::uint32_t next = 0;             // first task that never ran
    std::uint32_t given_up = 0;         // tasks that never will finish
    std::uint32_t waits_for = unknown;  // parents that have not ended
    Time ready = never;
    Duration slot_time{};
    FineWork of_task;          // mean
    Duration task_estimate{};  // the same, rounded
    DemandId demand{0U};
  };

  /// Of a task: its attempt that runs, or would be next.
  struct TaskNow {
    NodeId node;
    std::uint16_t attempt = 0;
    TaskState state = TaskState::waiting;
  };
  static_assert(sizeof(TaskNow) == 8);

  /// The last one of a job.
  struct Suspension {
    Duration had{};              // of its time limit, when it began
    Time went_on = Time::min();  // never: it has not
  };
  [[nodiscard]] Suspension suspension_of(JobId job) const {
    const auto found = suspensions_.find(job);
    return found == suspensions_.end() ? Suspension() : found->second;
  }

  /// Of a user or a queue.
  struct GroupState {
    std::uint32_t active_jobs = 0;
    std::uint32_t running = 0;
  };

  [[nodiscard]] const Counts& of(JobId job) const { return jobs_[job.index()].counts; }
  [[nodiscard]] const GroupState& of(QueueId queue) const { return queues_[queue.index()]; }
  [[nodiscard]] const Counts& of(StageId stage) const { return stages_[stage.index()].counts; }
  [[nodiscard]] static bool is_on_node(const OtherAttempt& other) {
    return other.state == OtherAttempt::State::running ||
           other.state == OtherAttempt::State::unwanted;
  }
  template <class Id>
  using Counted = std::unordered_map<Id, std::uint32_t>;
  template <class Id>
  [[nodiscard]] static std::uint32_t count(const Counted<Id>& counted, Id id) {
    if (counted.empty()) return 0;
    const auto found = counted.find(id);
    return found == counted.end() ? 0 : found->second;
  }
  void make_runnable(StageId stage, std::uint32_t tasks);
  inline void take_runnable(StageId stage);
  inline void stop_running(StageId stage);
  // What is rare is a function of its own, for whose call the quick way saves no registers.
  [[nodiscard, gnu::noinline]] TaskId next_task(StageId stage, NodeId node);
  /// Also of those that are only due.
  void add_other(TaskId task);
  void drop_other(TaskId task);
  [[gnu::noinline]] void run_again(TaskId task, StageId stage);
  /// Whether its other attempt does, as that one has ended.
  [[nodiscard, gnu::noinline]] bool goes_on(TaskId task, std::uint16_t ended);
  void end_beside_another(TaskId task, std::uint16_t attempt, OtherAttempt& other);
  void close(JobId job);
  [[nodiscard]] StageId runnable_from(std::uint32_t position) const {
    const std::uint32_t first = runnable_stages_.first(position);
    return first == BitIndex::none ? StageId() : stage_at(first);
  }

  void allocate(const Stage& stage, DemandId demand, std::int64_t times) {
    if (demand != DemandId(0U)) allocate_some(stage, demand, times);
  }
  void allocate_some(const Stage& stage, DemandId demand, std::int64_t times);

  const Catalogue* catalogue_;
  DemandTable demands_;
  std::vector<JobState> jobs_;
  std::vector<ResourceTotals> allocated_;  // by job; empty while nobody asks for anything
  std::vector<StageState> stages_;
  BitIndex runnable_stages_;             // by position
  std::vector<std::uint32_t> position_;  // by stage; empty while no job was given an order
  std::vector<StageId> stage_at_;        // by position; the same
  std::vector<TaskNow> tasks_;
  std::unordered_map<StageId, std::vector<TaskId>> again_;  // tasks that lost an attempt
  // Of tasks with a backup; empty without speculation.
  std::unordered_map<TaskId, OtherAttempt> others_;
  std::unordered_map<StageId, std::vector<TaskId>> due_;  // the earliest first
  Counted<StageId> others_of_stages_;                     // due or running
  Counted<JobId> others_of_jobs_;
  std::uint32_t unwanted_attempts_ = 0;
  std::unordered_map<JobId, Suspension> suspensions_;
  std::vector<GroupState> users_;
  std::vector<GroupState> queues_;
  std::vector<ResourceTotals> of_queues_;  // what their running tasks hold
  std::uint64_t runnable_tasks_ = 0;
  std::uint64_t running_tasks_ = 0;
  std::uint32_t active_jobs_ = 0;
  std::uint32_t active_users_ = 0;
  Time now_;
  std::uint32_t ended_jobs_ = 0;
};

}  // namespace somnus
