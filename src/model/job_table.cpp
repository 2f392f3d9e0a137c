#include "model/job_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace somnus {

JobTable::JobTable(const Catalogue& catalogue)
    : catalogue_(&catalogue),
      jobs_(catalogue.jobs.size()),
      stages_(catalogue.stages.size()),
      runnable_stages_(static_cast<std::uint32_t>(catalogue.stages.size())),
      tasks_(catalogue.tasks),
      users_(catalogue.users.size()),
      queues_(catalogue.queues),
      of_queues_(catalogue.queues) {}

void JobTable::introduce(JobId id) {
  JobState& job = jobs_[id.index()];
  if (job.known) return;
  const Job& facts = (*catalogue_)[id];
  job.known = true;
  job.counts.unfinished = facts.tasks;
  for (std::uint32_t at = 0; at < facts.stages; ++at) {
    const StageId stage(facts.first_stage.value() + at);
    stages_[stage.index()].counts.unfinished = (*catalogue_)[stage].tasks;
    stages_[stage.index()].waits_for = (*catalogue_)[stage].parents;
  }
}

StageId JobTable::runnable_after(StageId stage) const {
  const Job& job = (*catalogue_)[(*catalogue_)[stage].job];
  const std::uint32_t next = runnable_stages_.first(position(stage) + 1);
  return next < job.first_stage.value() + job.stages ? stage_at(next) : StageId();
}

void JobTable::order_stages(JobId id, std::span<const StageId> in_order) {
  const Job& job = (*catalogue_)[id];
  SOMNUS_CHECK(!arrived(id), "the stages of job {} are put in order after it arrived", id.value());
  SOMNUS_CHECK(in_order.size() == job.stages, "{} stages in order for job {} of {}",
               in_order.size(), id.value(), job.stages);
  if (position_.empty()) {
    for (std::uint32_t at = 0; at < stages_.size(); ++at) {
      position_.push_back(at);
      stage_at_.emplace_back(at);
    }
  }
  std::uint32_t position = job.first_stage.value();
  for (const StageId stage : in_order) {
    position_[stage.index()] = position;
    stage_at_[position++] = stage;
  }
}

void JobTable::estimate(const StageEstimated& estimated) {
  constexpr Duration most_work = seconds(most_slot_time_s);
  const StageId id = estimated.stage;
  StageState& stage = stages_[id.index()];
  JobState& job = jobs_[(*catalogue_)[id].job.index()];
  // Whatever its stages' estimates are, a job's is at most what a workload may have.
  const Duration others = job.slot_time - stage.slot_time;
  const Duration work = std::min(seconds(estimated.slot_time.seconds), most_work - others);
  job.slot_time = others + work;
  stage.slot_time = work;
  const FineWork of_task = FineWork::mean(work, (*catalogue_)[id].tasks);
  const std::uint32_t tasks = known(id) ? stage.counts.unfinished : (*catalogue_)[id].tasks;
  job.work_left += tasks * (of_task - stage.of_task);
  stage.of_task = of_task;
  stage.task_estimate = of_task.whole_ns();
  const Resources demand(estimated.demand);
  stage.demand = demand.zero() ? DemandId(0U) : demands_.add(demand);
  if (allocated_.empty() && !demand.zero()) allocated_.resize(jobs_.size());
}

void JobTable::allocate_some(const Stage& stage, DemandId demand, std::int64_t times) {
  const Resources& amounts = demands_[demand].amounts;
  allocated_[stage.job.index()].add(amounts, times);
  of_queues_[(*catalogue_)[stage.job].queue.index()].add(amounts, times);
}

void JobTable::arrive(Time now, JobId id) {
  JobState& state = jobs_[id.index()];
  SOMNUS_CHECK(!state.arrived, "job {} arrived twice", id.value());
  introduce(id);
  state.arrived = true;
  state.arrival = now;
  ++active_jobs_;
  const Job& job = (*catalogue_)[id];
  if (users_[job.user.index()].active_jobs++ == 0) ++active_users_;
  ++queues_[job.queue.index()].active_jobs;
  for (std::size_t at = 0; at < job.stages; ++at) {
    const StageId stage(job.first_stage.index() + at);
    if (stages_[stage.index()].waits_for > 0) continue;
    stages_[stage.index()].ready = now;
    make_runnable(stage, (*catalogue_)[stage].tasks);
  }
}

TaskId JobTable::next_task(StageId id, NodeId node) {
  StageState& stage = stages_[id.index()];
  if (const auto found = again_.find(id); found != again_.end()) {
    const TaskId task = found->second.back();
    found->second.pop_back();
    if (found->second.empty()) again_.erase(found);
    return task;
  }
  const auto due = due_.find(id);
  if (due == due_.end() || stage.counts.runnable > due->second.size()) {
    return TaskId((*catalogue_)[id].first_task.index() + stage.next++);
  }
  std::vector<TaskId>& tasks = due->second;
  auto best = std::ranges::find_if(tasks, [&](TaskId each) { return this->node(each) != node; });
  if (best == tasks.end()) best = tasks.begin();
  const TaskId task = *best;
  tasks.erase(best);
  if (tasks.empty()) due_.erase(due);
  OtherAttempt& backup = others_.at(task);
  backup.state = OtherAttempt::State::running;
  backup.attempt = static_cast<std::uint16_t>(attempt(task) + 1);
  backup.node = node;
  return task;
}

// Parts of a launch and an end: both look at the same rows.

[[gnu::always_inline]] inline void JobTable::take_runnable(StageId id) {
  StageState& stage = stages_[id.index()];
  JobState& job = jobs_[(*catalogue_)[id].job.index()];
  --job.counts.runnable;
  --runnable_tasks_;
  if (--stage.counts.runnable > 0) return;
  runnable_stages_.erase(position(id));
  if (job.head == id) job.head = runnable_after(id);
}

[[gnu::always_inline]] inline void JobTable::stop_running(StageId id) {
  const JobId job = (*catalogue_)[id].job;
  StageState& stage = stages_[id.index()];
  allocate((*catalogue_)[id], stage.demand, -1);
  --stage.counts.running;
  --jobs_[job.index()].counts.running;
  --users_[(*catalogue_)[job].user.index()].running;
  --queues_[(*catalogue_)[job].queue.index()].running;
  --running_tasks_;
}

TaskId JobTable::launch(StageId id, NodeId node) {
  StageState& stage = stages_[id.index()];
  const JobId job_id = (*catalogue_)[id].job;
  SOMNUS_CHECK(stage.counts.runnable > 0, "stage {} has no runnable task", id.value());
  const bool in_order = again_.empty() && due_.empty();
  const TaskId task =
      in_order ? TaskId((*catalogue_)[id].first_task.index() + stage.next++) : next_task(id, node);
  if (tasks_[task.index()].state != TaskState::running) {
    tasks_[task.index()].state = TaskState::running;
    tasks_[task.index()].node = node;
  }
  allocate((*catalogue_)[id], stage.demand, 1);
  ++jobs_[job_id.index()].counts.running;
  ++stage.counts.running;
  ++users_[(*catalogue_)[job_id].user.index()].running;
  ++queues_[(*catalogue_)[job_id].queue.index()].running;
  ++running_tasks_;
  take_runnable(id);
  return task;
}

JobTable::Effect JobTable::end(TaskId task, std::uint16_t attempt, Outcome outcome) {
  const StageId stage_id = catalogue_->stage_of[task.index()];
  const JobId job_id = (*catalogue_)[stage_id].job;
  StageState& stage = stages_[stage_id.index()];
  JobState& job = jobs_[job_id.index()];
  stop_running(stage_id);
  if (!others_.empty() && goes_on(task, attempt)) return {};
  if (outcome != Outcome::finished && !job.failed) {
    const bool had_none = stage.counts.runnable == 0;
    run_again(task, stage_id);
    return {.runnable_again = had_none};
  }
  if (outcome != Outcome::finished) ++stage.given_up;
  tasks_[task.index()].state = TaskState::ended;
  job.work_left -= stage.of_task;
  const bool stage_ended = --stage.counts.unfinished == 0 && !job.failed;
  const bool job_ended = --job.counts.unfinished == 0;
  if (job_ended) close(job_id);
  return {.stage_ended = stage_ended, .job_ended = job_ended};
}

void JobTable::run_again(TaskId task, StageId stage) {
  constexpr std::uint16_t last_attempt = 65'534;  // a backup's number is one more
  if (attempt(task) >= last_attempt) [[unlikely]] {
    throw UserError(mistake({.key = "faults",
                             .what = fmt::format(
                                 "task {} has failed or was lost {} times, which is as often as "
                                 "a log tells attempts apart",
                                 task.value(), attempt(task)),
                             .hint = "faults.task_attempts ends such a job earlier"})
                        .value());
  }
  tasks_[task.index()].state = TaskState::waiting;
  ++tasks_[task.index()].attempt;
  again_[stage].push_back(task);
  make_runnable(stage, 1);
}

bool JobTable::goes_on(TaskId task, std::uint16_t ended) {
  const auto found = others_.find(task);
  if (found == others_.end()) return false;
  switch (OtherAttempt& other = found->second; other.state) {
    case OtherAttempt::State::running:
      end_beside_another(task, ended, other);
      return true;
    case OtherAttempt::State::over:
      tasks_[task.index()].attempt = other.attempt;
      others_.erase(found);
      return false;
    case OtherAttempt::State::due:
      static_cast<void>(withdraw(task));
      return false;
    case OtherAttempt::State::unwanted:
      return false;
  }
  return false;
}

void JobTable::end_beside_another(TaskId task, std::uint16_t attempt, OtherAttempt& other) {
  drop_other(task);
  if (attempt == other.attempt) {
    other.state = OtherAttempt::State::over;
    return;
  }
  tasks_[task.index()].attempt = other.attempt;
  tasks_[task.index()].node = other.node;
  others_.erase(task);
}

void JobTable::add_other(TaskId task) {
  const StageId stage = catalogue_->stage_of[task.index()];
  ++others_of_stages_[stage];
  ++others_of_jobs_[(*catalogue_)[stage].job];
}

void JobTable::drop_other(TaskId task) {
  const StageId stage = catalogue_->stage_of[task.index()];
  const JobId job = (*catalogue_)[stage].job;
  if (--others_of_stages_[stage] == 0) others_of_stages_.erase(stage);
  if (--others_of_jobs_[job] == 0) others_of_jobs_.erase(job);
}

void JobTable::make_due(Time now, TaskId task) {
  const StageId stage = catalogue_->stage_of[task.index()];
  const bool may_be = state(task) == TaskState::running && other(task) == nullptr;
  SOMNUS_CHECK(may_be, "task {} is to have a backup that it can't have", task.value());
  others_[task].since = now;
  add_other(task);
  due_[stage].push_back(task);
  make_runnable(stage, 1);
}

bool JobTable::withdraw(TaskId task) {
  const StageId stage = catalogue_->stage_of[task.index()];
  const auto due = due_.find(stage);
  std::erase(due->second, task);
  if (due->second.empty()) due_.erase(due);
  drop_other(task);
  others_.erase(task);
  take_runnable(stage);
  return runnable(stage) == 0;
}

OtherAttempt JobTable::give_up_other(TaskId task, std::uint16_t best) {
  OtherAttempt& other = others_.at(task);
  if (best == other.attempt) {
    std::swap(tasks_[task.index()].attempt, other.attempt);
    std::swap(tasks_[task.index()].node, other.node);
  }
  other.state = OtherAttempt::State::unwanted;
  ++unwanted_attempts_;
  drop_other(task);
  stop_running(catalogue_->stage_of[task.index()]);
  return other;
}

void JobTable::forget_unwanted(TaskId task) {
  others_.erase(task);
  --unwanted_attempts_;
}

void JobTable::close(JobId id) {
  const Job& job = (*catalogue_)[id];
  ++ended_jobs_;
  --active_jobs_;
  --queues_[job.queue.index()].active_jobs;
  if (--users_[job.user.index()].active_jobs == 0) --active_users_;
}

void JobTable::fail(JobId id) {
  const Job& facts = (*catalogue_)[id];
  JobState& job = jobs_[id.index()];
  SOMNUS_CHECK(!job.failed && !ended(id), "job {} fails after its end", id.value());
  job.failed = true;
  job.head = {};
  for (std::uint32_t at = 0; at < facts.stages; ++at) {
    const StageId stage_id(facts.first_stage.value() + at);
    StageState& stage = stages_[stage_id.index()];
    if (const auto due = due_.find(stage_id); due != due_.end()) {
      for (const TaskId task : std::vector(due->second)) static_cast<void>(withdraw(task));
    }
    const std::uint32_t given_up = unstarted(stage_id);
    if (stage.counts.runnable > 0) runnable_stages_.erase(position(stage_id));
    runnable_tasks_ -= stage.counts.runnable;
    stage.counts.runnable = 0;
    stage.counts.unfinished -= given_up;
    stage.given_up += given_up;
    job.counts.unfinished -= given_up;
    job.work_left -= given_up * stage.of_task;
    again_.erase(stage_id);
  }
  job.counts.runnable = 0;
  if (ended(id)) close(id);
}

bool JobTable::parent_ended(Time now, StageId id) {
  StageState& stage = stages_[id.index()];
  if (--stage.waits_for > 0) return false;
  stage.ready = now;
  make_runnable(id, (*catalogue_)[id].tasks);
  return true;
}

void JobTable::make_runnable(StageId stage, std::uint32_t tasks) {
  JobState& job = jobs_[(*catalogue_)[stage].job.index()];
  stages_[stage.index()].counts.runnable += tasks;
  if (tasks > 0) runnable_stages_.insert(position(stage));
  job.counts.runnable += tasks;
  runnable_tasks_ += tasks;
  if (!job.head.valid() || position(stage) < position(job.head)) job.head = stage;
}

}  // namespace somnus
