// What a scheduler may know of jobs: those that have arrived, with their stages and tasks. A job
// that has not arrived shows nothing: its facts are refused, its counts are zero, and the number of
// jobs to come is not there. A view holds for one call and is as cheap as a pointer; the engine
// alone has the tables behind it.
#pragma once

#include <cstdint>
#include <span>

#include "model/job_table.hpp"

namespace somnus {

class JobsView {
 public:
  /// Of tables that outlive it.
  JobsView(const JobTable& table) : table_(&table) {}  // NOLINT(google-explicit-constructor)

  // Facts, as they came with the job. Throw Bug if it has not arrived.
  [[nodiscard]] const Job& operator[](JobId job) const {
    if (!table_->known(job)) [[unlikely]]
      refuse(job);
    return facts()[job];
  }
  [[nodiscard]] const Stage& operator[](StageId stage) const {
    if (!table_->known(stage)) [[unlikely]]
      refuse(stage);
    return facts()[stage];
  }
  [[nodiscard]] JobId job_of(StageId stage) const { return (*this)[stage].job; }
  /// A task that the scheduler has heard of.
  [[nodiscard]] StageId stage_of(TaskId task) const {
    const StageId stage = facts().stage_of[task.index()];
    if (!table_->known(stage)) [[unlikely]]
      refuse(stage);
    return stage;
  }
  /// Of the job's user among users.
  [[nodiscard]] double weight_of_user(JobId job) const { return facts()[(*this)[job].user].weight; }
  [[nodiscard]] std::span<const StageId> parents_of(StageId stage) const {
    return facts().parents_of((*this)[stage]);
  }
  [[nodiscard]] std::span<const StageId> children_of(StageId stage) const {
    return facts().children_of((*this)[stage]);
  }
  /// The nodes that its tasks prefer, where its data is, in the user's order.
  [[nodiscard]] std::span<const NodeId> affinity_of(StageId stage) const {
    return facts().affinity_of((*this)[stage]);
  }
  /// How fast it goes on how many slots; not known, where users gave none.
  [[nodiscard]] const ProgressCurve& curve(JobId job) const {
    static_cast<void>((*this)[job]);
    return facts().curve(job);
  }
  /// For how long it may run from its first launch; none: for any time.
  [[nodiscard]] std::optional<Duration> limit(JobId job) const {
    static_cast<void>((*this)[job]);
    return facts().limit(job);
  }
  [[nodiscard]] Accounting accounting(JobId job) const {
    static_cast<void>((*this)[job]);
    return facts().accounting_of(job);
  }
  /// Most slots that the job can use at once: the tasks of its widest stage.
  [[nodiscard]] std::uint32_t parallelism(JobId job) const {
    return facts().parallelism((*this)[job]);
  }

  // How things stand, as JobTable says it.

  // Jobs.
  [[nodiscard]] bool arrived(JobId job) const { return table_->arrived(job); }
  [[nodiscard]] bool ended(JobId job) const { return table_->ended(job); }
  [[nodiscard]] bool failed(JobId job) const { return table_->failed(job); }
  [[nodiscard]] Time now() const { return table_->now(); }
  [[nodiscard]] Time arrival(JobId job) const { return table_->arrival(job); }
  [[nodiscard]] Duration slot_time(JobId job) const { return table_->slot_time(job); }
  [[nodiscard]] FineWork work_left(JobId job) const { return table_->work_left(job); }
  [[nodiscard]] const ResourceTotals& allocated(JobId job) const { return table_->allocated(job); }
  [[nodiscard]] std::uint32_t running(JobId job) const { return table_->running(job); }
  [[nodiscard]] std::uint32_t runnable(JobId job) const { return table_->runnable(job); }
  [[nodiscard]] std::uint32_t unfinished(JobId job) const { return table_->unfinished(job); }
  [[nodiscard]] std::uint32_t unstarted(JobId job) const { return table_->unstarted(job); }
  [[nodiscard]] Duration had_of_limit(JobId job) const { return table_->had_of_limit(job); }
  [[nodiscard]] bool stands_still(JobId job) const { return table_->stands_still(job); }
  [[nodiscard]] bool goes_on(JobId job) const { return table_->goes_on(job); }
  [[nodiscard]] StageId head(JobId job) const { return table_->head(job); }
  [[nodiscard]] StageId runnable_after(StageId stage) const {
    return table_->runnable_after(stage);
  }
  [[nodiscard]] StageId first_runnable() const { return table_->first_runnable(); }
  [[nodiscard]] StageId next_runnable(StageId stage) const { return table_->next_runnable(stage); }
  [[nodiscard]] std::uint32_t position(StageId stage) const { return table_->position(stage); }
  [[nodiscard]] StageId stage_at(std::uint32_t position) const {
    return table_->stage_at(position);
  }

  // Stages.
  [[nodiscard]] bool ready(StageId stage) const { return table_->ready(stage); }
  [[nodiscard]] Time ready_time(StageId stage) const { return table_->ready_time(stage); }
  [[nodiscard]] Duration slot_time(StageId stage) const { return table_->slot_time(stage); }
  [[nodiscard]] const Demand& demand(StageId stage) const { return table_->demand(stage); }
  [[nodiscard]] const Demand& demand(DemandId id) const { return table_->demand(id); }
  [[nodiscard]] Duration task_estimate(StageId stage) const { return table_->task_estimate(stage); }
  [[nodiscard]] std::uint32_t running(StageId stage) const { return table_->running(stage); }
  [[nodiscard]] std::uint32_t runnable(StageId stage) const { return table_->runnable(stage); }
  [[nodiscard]] std::uint32_t unfinished(StageId stage) const { return table_->unfinished(stage); }
  [[nodiscard]] std::uint32_t unstarted(StageId stage) const { return table_->unstarted(stage); }
  [[nodiscard]] bool has_backups_due(StageId stage) const { return table_->has_backups_due(stage); }
  [[nodiscard]] bool finished(StageId stage) const { return table_->finished(stage); }

  // Users and queues.
  [[nodiscard]] std::uint32_t running(UserId user) const { return table_->running(user); }
  [[nodiscard]] std::uint32_t running(QueueId queue) const { return table_->running(queue); }
  [[nodiscard]] std::uint32_t active_jobs(QueueId queue) const {
    return table_->active_jobs(queue);
  }
  [[nodiscard]] const ResourceTotals& allocated(QueueId queue) const {
    return table_->allocated(queue);
  }

  // Tasks.
  [[nodiscard]] TaskState state(TaskId task) const { return table_->state(task); }
  [[nodiscard]] std::uint16_t attempt(TaskId task) const { return table_->attempt(task); }
  [[nodiscard]] std::uint16_t last_attempt(TaskId task) const { return table_->last_attempt(task); }
  [[nodiscard]] NodeId node(TaskId task) const { return table_->node(task); }

  // All.
  [[nodiscard]] std::uint64_t runnable_tasks() const { return table_->runnable_tasks(); }
  [[nodiscard]] std::uint64_t running_tasks() const { return table_->running_tasks(); }
  [[nodiscard]] std::uint32_t active_jobs() const { return table_->active_jobs(); }
  [[nodiscard]] std::uint32_t active_users() const { return table_->active_users(); }

 private:
  [[nodiscard]] const Catalogue& facts() const { return table_->catalogue(); }
  [[noreturn]] static void refuse(JobId job);
  [[noreturn]] static void refuse(StageId stage);

  const JobTable* table_;
};

}  // namespace somnus
