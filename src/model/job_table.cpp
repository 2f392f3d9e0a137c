#include "model/job_table.hpp"

#include "base/error.hpp"

namespace somnus {

JobTable::JobTable(const Catalogue& catalogue)
    : catalogue_(&catalogue),
      jobs_(catalogue.jobs.size()),
      stages_(catalogue.stages.size()),
      runnable_stages_(static_cast<std::uint32_t>(catalogue.stages.size())),
      task_state_(catalogue.tasks, TaskState::waiting),
      task_attempt_(catalogue.tasks, 0),
      task_node_(catalogue.tasks),
      users_(catalogue.users.size()),
      queues_(catalogue.queues),
      of_queues_(catalogue.queues) {
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    jobs_[job].counts.unfinished = catalogue.jobs[job].tasks;
  }
  for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
    stages_[stage].counts.unfinished = catalogue.stages[stage].tasks;
    stages_[stage].waits_for = catalogue.stages[stage].parents;
  }
}

StageId JobTable::runnable_after(StageId stage) const {
  const Job& job = (*catalogue_)[(*catalogue_)[stage].job];
  const std::uint32_t next = runnable_stages_.first(place(stage) + 1);
  return next < job.first_stage.value() + job.stages ? stage_at(next) : StageId();
}

void JobTable::order_stages(JobId id, std::span<const StageId> in_order) {
  const Job& job = (*catalogue_)[id];
  SOMNUS_CHECK(!arrived(id), "the stages of job {} are put in order after it arrived", id.value());
  SOMNUS_CHECK(in_order.size() == job.stages, "{} stages in order for job {} of {}",
               in_order.size(), id.value(), job.stages);
  if (place_.empty()) {
    for (std::uint32_t at = 0; at < stages_.size(); ++at) {
      place_.push_back(at);
      stage_at_.emplace_back(at);
    }
  }
  std::uint32_t place = job.first_stage.value();
  for (const StageId stage : in_order) {
    place_[stage.index()] = place;
    stage_at_[place++] = stage;
  }
}

void JobTable::estimate(const StageEstimated& told) {
  const StageId id = told.stage;
  StageState& stage = stages_[id.index()];
  JobState& job = jobs_[(*catalogue_)[id].job.index()];
  const Duration work = seconds(told.slot_time.seconds);
  job.slot_time += work - stage.slot_time;
  stage.slot_time = work;
  const FineWork of_task = FineWork::mean(work, (*catalogue_)[id].tasks);
  job.work_left += stage.counts.unfinished * (of_task - stage.of_task);
  stage.of_task = of_task;
  const Resources demand(told.demand);
  stage.demand = demand.zero() ? DemandId(0U) : demands_.add(demand);
  if (allocated_.empty() && !demand.zero()) allocated_.resize(jobs_.size());
}

void JobTable::allocate(const Stage& stage, DemandId demand, std::int64_t times) {
  if (demand == DemandId(0U)) return;
  const Resources& amounts = demands_[demand].amounts;
  allocated_[stage.job.index()].add(amounts, times);
  of_queues_[(*catalogue_)[stage.job].queue.index()].add(amounts, times);
}

void JobTable::arrive(Time now, JobId id) {
  JobState& state = jobs_[id.index()];
  SOMNUS_CHECK(!state.arrived, "job {} arrived twice", id.value());
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

TaskId JobTable::launch(StageId id, NodeId node) {
  StageState& stage = stages_[id.index()];
  const JobId job_id = (*catalogue_)[id].job;
  JobState& job = jobs_[job_id.index()];
  SOMNUS_CHECK(stage.counts.runnable > 0, "stage {} has no runnable task", id.value());
  TaskId task((*catalogue_)[id].first_task.index() + stage.next);
  if (again_.empty()) {
    ++stage.next;
  } else if (const auto found = again_.find(id); found != again_.end()) {
    task = found->second.back();
    found->second.pop_back();
    if (found->second.empty()) again_.erase(found);
  } else {
    ++stage.next;
  }
  task_state_[task.index()] = TaskState::running;
  task_node_[task.index()] = node;
  allocate((*catalogue_)[id], stage.demand, 1);
  --job.counts.runnable;
  ++job.counts.running;
  ++stage.counts.running;
  ++users_[(*catalogue_)[job_id].user.index()].running;
  ++queues_[(*catalogue_)[job_id].queue.index()].running;
  --runnable_tasks_;
  ++running_tasks_;
  if (--stage.counts.runnable == 0) {
    runnable_stages_.erase(place(id));
    if (job.head == id) job.head = runnable_after(id);
  }
  return task;
}

JobTable::Effect JobTable::end(TaskId task, Outcome outcome) {
  const StageId stage_id = catalogue_->stage_of[task.index()];
  const JobId job_id = (*catalogue_)[stage_id].job;
  StageState& stage = stages_[stage_id.index()];
  JobState& job = jobs_[job_id.index()];
  allocate((*catalogue_)[stage_id], stage.demand, -1);
  --stage.counts.running;
  --job.counts.running;
  --users_[(*catalogue_)[job_id].user.index()].running;
  --queues_[(*catalogue_)[job_id].queue.index()].running;
  --running_tasks_;
  Effect effect;
  if (outcome != Outcome::finished && job.failed) {
    ++stage.given_up;
  } else if (outcome != Outcome::finished) {
    effect.runnable_again = stage.counts.runnable == 0;
    task_state_[task.index()] = TaskState::waiting;
    ++task_attempt_[task.index()];
    again_[stage_id].push_back(task);
    make_runnable(stage_id, 1);
    return effect;
  }
  task_state_[task.index()] = TaskState::ended;
  job.work_left -= stage.of_task;
  effect.stage_ended = --stage.counts.unfinished == 0 && !job.failed;
  effect.job_ended = --job.counts.unfinished == 0;
  if (effect.job_ended) close(job_id);
  return effect;
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
    const std::uint32_t given_up = stage.counts.unfinished - stage.counts.running;
    if (stage.counts.runnable > 0) runnable_stages_.erase(place(stage_id));
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
  if (tasks > 0) runnable_stages_.insert(place(stage));
  job.counts.runnable += tasks;
  runnable_tasks_ += tasks;
  if (!job.head.valid() || place(stage) < place(job.head)) job.head = stage;
}

}  // namespace somnus
