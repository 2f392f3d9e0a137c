#include "scheduler/engine.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace somnus {

Engine::Engine(const Catalogue& catalogue, const Cluster& cluster, Scheduler scheduler,
               EngineRules rules)
    : rules_(rules),
      policy_(std::move(scheduler.policy)),
      feedback_(std::move(scheduler.feedback)),
      within_(std::move(scheduler.within)),
      private_views_(feedback_->is_private()),
      policy_follows_nodes_(policy_->follows_nodes()),
      nodes_follow_jobs_(scheduler.queue && scheduler.queue->reorder->follows_jobs),
      jobs_(catalogue),
      nodes_(cluster),
      view_(nodes_, scheduler.queue),
      speculation_(rules.speculation, catalogue),
      limits_(catalogue, rules.limit_grace),
      dimensions_(cluster) {
  feedback_->begin(view_);
  if (policy_follows_nodes_) view_.follow_changes();
  notify_of_nodes();
}

void Engine::throw_on() {
  try {
    throw;
  } catch (const std::exception&) {
    throw;
  } catch (...) {
    throw Bug("a part of the scheduler threw something that is no std::exception");
  }
}

void Engine::refuse_to_go_back(Time now) const {
  fail_check(__FILE__, __LINE__, "an event at {} s follows one at {} s", in_seconds(now),
             in_seconds(jobs_.now()));
}

namespace {

/// Of a plan that fails nothing leaves, so none of its tasks is on a node.
[[gnu::cold, gnu::noinline]] void take_back(const Plan& plan, JobTable& jobs) {
  for (const Launch& launch : plan.get<Launch>()) {
    static_cast<void>(jobs.end(launch.task, launch.attempt, Outcome::returned));
  }
}

}  // namespace

const Plan& Engine::plan(Time now) {
  advance(now);
  plan_.clear();
  if (limits_.any()) {
    for (const TimeOut& timeout : timeouts_) plan_.put(timeout);
    timeouts_.clear();
  }
  for (const Kill& kill : kills_) plan_.put(kill);
  kills_.clear();
  if (!broken_.empty()) kill_broken_gangs();
  for (const Backup& backup : backups_) plan_.put(backup);
  backups_.clear();
  last_updated_.clear();
  if (!updated_.empty()) {
    last_updated_.swap(updated_);
    std::ranges::sort(last_updated_);
    last_updated_.erase(std::ranges::unique(last_updated_).begin(), last_updated_.end());
  }
  const bool any_reason = jobs_.runnable_tasks() > 0 || spoken_to_;
  if (any_reason && !has_its_turn(now)) return plan_;
  if (any_reason) {
    try {
      if (asked_ == now) [[unlikely]]
        ask_again(now);
      policy_->plan(now, *this);
      for (const Promise& promise : policy_->promises()) note(promise);
    } catch (...) {
      take_back(plan_, jobs_);
      throw_on();
    }
  }
  spoken_to_ = false;
  asked_ = now;
  use_view_of(JobId());
  feedback_->round_ends(view_);
  notify_of_nodes();
  return plan_;
}

// A policy that makes progress is never asked once a microsecond for so long.
void Engine::ask_again(Time now) {
  constexpr std::uint32_t many = 25'000;
  constexpr Duration briefly = std::chrono::milliseconds(25);
  if (++asked_again_ < many) return;
  asked_again_ = 0;
  Progress here{.at = now};
  for (std::uint32_t at = 0; at < jobs_.catalogue().jobs.size(); ++at) {
    here.arrived += jobs_.arrived(JobId(at)) ? 1U : 0U;
    here.unfinished += jobs_.unfinished(JobId(at));
  }
  const Progress before = std::exchange(last_progress_, here);
  const bool is_stuck = before.at > now - briefly && before.arrived == here.arrived &&
                        before.unfinished == here.unfinished;
  if (!is_stuck) return;
  policy_->blame(fmt::format(
      "goes on for ever: it was asked {} times from {} s to {} s as it had preempted tasks, asked "
      "nodes or wanted to be woken, and meanwhile no job arrived and no task finished",
      many, in_seconds(before.at), in_seconds(now)));
}

bool Engine::has_its_turn(Time now) {
  if (rules_.cycle == Duration::zero()) return true;
  const Duration since_last = (now - start_of_time) % rules_.cycle;
  const bool is_now = std::exchange(its_turn_, false) || since_last == Duration::zero();
  turn_ = is_now ? never : now + (rules_.cycle - since_last);
  return is_now;
}

void Engine::use_view_of(JobId manager) {
  if (!private_views_) return;
  feedback_->use_view_of(manager, view_);
  notify_of_nodes();
}

void Engine::notify_of_nodes() {
  if (!policy_follows_nodes_) return;
  for (const NodeId node : view_.take_changes()) policy_->node_changed(node, scheduler_view());
}

void Engine::job_changed(JobId job) {
  if (view_.queue()) updated_.push_back(job);
}

bool Engine::on(Time now, const JobArrived& event) {
  jobs_.introduce(event.job);
  if (within_ != nullptr) jobs_.order_stages(event.job, within_->stages_of(event.job, jobs_));
  jobs_.arrive(now, event.job);
  job_changed(event.job);
  policy_->job_arrived(now, event.job, scheduler_view());
  for (StageId stage = jobs_.head(event.job); stage.valid(); stage = jobs_.runnable_after(stage)) {
    policy_->stage_runnable(now, stage, scheduler_view());
  }
  return true;
}

bool Engine::on(Time, const StageEstimated& event) {
  if (jobs_.arrived(jobs_.catalogue()[event.stage].job)) return false;  // it was decided by others
  jobs_.estimate(event);
  return true;
}

bool Engine::on(Time now, const TaskEnded& event) {
  const bool is_there = event.task.index() < jobs_.catalogue().tasks &&
                        jobs_.is_on_node(event.task, event.attempt, event.node);
  if (!is_there) return false;
  const StageId stage_id = jobs_.catalogue().stage_of[event.task.index()];
  const Stage& stage = jobs_.catalogue()[stage_id];
  if (stage.exclusive) [[unlikely]] {
    give_whole(stage_id);
  } else {
    nodes_.give(event.node, jobs_.demand(stage_id).amounts);
    feedback_->ended(event.node, view_);
  }
  notify_of_nodes();
  if (is_unwanted(event.task, event.attempt)) {
    jobs_.forget_unwanted(event.task);
    return true;
  }
  const bool finished = event.outcome == Outcome::finished;
  if (nodes_follow_jobs_ && finished) job_changed(stage.job);
  if (speculation_.on()) speculation_.ended(now, event.task, event.attempt, finished);
  if (finished && jobs_.other(event.task) != nullptr) give_up_other(event, stage_id);
  const JobTable::Effect effect = jobs_.end(event.task, event.attempt, event.outcome);
  policy_->task_ended(event, stage_id, scheduler_view());
  if (effect.runnable_again) policy_->stage_runnable(now, stage_id, scheduler_view());
  if (effect.stage_ended) {
    if (!dying_.empty()) forget_kills(stage_id);
    for (const StageId child : jobs_.catalogue().children_of(stage)) {
      if (jobs_.parent_ended(now, child)) policy_->stage_runnable(now, child, scheduler_view());
    }
  }
  if (limits_.any()) limits_.task_ended(now, stage_id, event.outcome, jobs_);
  if (effect.job_ended) job_ended(stage.job);
  if (!finished) count_failure(event, stage.job);
  if (!finished && stage.gang) break_gang(stage_id);
  return true;
}

// The others of its gang do not go on: it starts again as one.
void Engine::break_gang(StageId stage) {
  const bool killed_with_the_job = jobs_.failed(jobs_.catalogue()[stage].job);
  if (!killed_with_the_job && dying_.insert(stage).second) broken_.push_back(stage);
}

void Engine::kill_broken_gangs() {
  for (const StageId id : broken_) {
    const Stage& stage = jobs_.catalogue()[id];
    if (!jobs_.failed(stage.job)) kill_all(stage);  // else they have been killed with it
  }
  broken_.clear();
}

void Engine::kill_all(const Stage& stage) {
  for (std::uint32_t at = 0; at < stage.tasks; ++at) {
    const TaskId task(stage.first_task.value() + at);
    if (jobs_.state(task) != TaskState::running) continue;
    plan_.put(Kill{.task = task, .node = jobs_.node(task), .attempt = jobs_.attempt(task)});
  }
}

// The policy hears at once that the other attempt counts no more, so that nothing of a job runs
// once it has ended; its slot is free when its node says so.
void Engine::give_up_other(const TaskEnded& finished, StageId stage) {
  switch (jobs_.other(finished.task)->state) {
    case OtherAttempt::State::due:
      if (jobs_.withdraw(finished.task)) policy_->stage_withdrawn(stage, scheduler_view());
      return;
    case OtherAttempt::State::running: {
      const OtherAttempt late = jobs_.give_up_other(finished.task, finished.attempt);
      const bool killed_before = jobs_.failed(jobs_.catalogue()[stage].job);
      if (!killed_before) {
        kills_.push_back({.task = finished.task, .node = late.node, .attempt = late.attempt});
      }
      speculation_.ended(jobs_.now(), finished.task, late.attempt, false);
      policy_->task_ended({.task = finished.task,
                           .node = late.node,
                           .attempt = late.attempt,
                           .outcome = Outcome::killed,
                           .own = finished.own},
                          stage, scheduler_view());
      return;
    }
    case OtherAttempt::State::unwanted:
    case OtherAttempt::State::over:
      return;
  }
}

void Engine::make_due(Time now, TaskId task) {
  const StageId stage = jobs_.catalogue().stage_of[task.index()];
  if (jobs_.failed(jobs_.catalogue()[stage].job)) return;
  backups_.push_back({.task = task, .attempt = jobs_.attempt(task)});
  jobs_.make_due(now, task);
  policy_->stage_runnable(now, stage, scheduler_view());
}

void Engine::job_ended(JobId job) {
  policy_->job_ended(job, scheduler_view());
  feedback_->job_ended(job);
}

void Engine::count_failure(const TaskEnded& end, JobId job) {
  if (rules_.task_attempts == 0 || jobs_.failed(job)) return;
  if (end.outcome == Outcome::failed) ++failures_[end.task];
  const auto failures = failures_.find(end.task);
  const bool too_often = failures != failures_.end() && failures->second >= rules_.task_attempts;
  const bool another_goes_on = jobs_.state(end.task) == TaskState::running;
  if (too_often && !another_goes_on) fail(job);
}

void Engine::fail(JobId job) {
  std::vector<StageId> withdrawn;
  for (StageId stage = jobs_.head(job); stage.valid(); stage = jobs_.runnable_after(stage)) {
    withdrawn.push_back(stage);
  }
  jobs_.fail(job);
  for (const StageId stage : withdrawn) policy_->stage_withdrawn(stage, scheduler_view());
  const Job& facts = jobs_.catalogue()[job];
  for (std::uint32_t at = 0; at < facts.tasks; ++at) {
    const TaskId task(facts.first_task.value() + at);
    if (jobs_.state(task) != TaskState::running) continue;
    jobs_.for_each_on_node(task, [&](std::uint16_t attempt, NodeId node) {
      kills_.push_back({.task = task, .node = node, .attempt = attempt});
    });
  }
  if (jobs_.ended(job)) job_ended(job);
}

void Engine::time_out(JobId job) {
  if (jobs_.failed(job)) return;
  timeouts_.push_back({job});
  fail(job);
}

bool Engine::on(Time now, const NodeOffered& event) {
  if (!nodes_.up(event.node)) return false;
  feedback_->reported(event, view_);
  spoken_to_ = true;
  policy_->node_reported(now, event, scheduler_view());
  notify_of_nodes();
  return true;
}

bool Engine::on(Time, const NodeLost& event) {
  nodes_.lose(event.node);
  feedback_->lost(event.node, view_);
  notify_of_nodes();
  return true;
}

bool Engine::on(Time, const NodeReturned& event) {
  nodes_.restore(event.node);
  feedback_->returned(event.node, view_);
  notify_of_nodes();
  return true;
}

bool Engine::on(Time, const NodeAnswered& event) {
  if (event.stage.index() >= jobs_.catalogue().stages.size()) return false;
  spoken_to_ = true;
  if (event.reply == Reply::ready) ++held_[held_key(event.stage, event.node)];
  policy_->node_answered(event, scheduler_view());
  return true;
}

bool Engine::on(Time now, const Woken&) {
  if (wakes_at() > now) return false;
  if (turn_ <= now) {
    turn_ = never;
    its_turn_ = true;
  }
  for (const TaskId task : speculation_.take_due(now)) make_due(now, task);
  for (const JobId job : limits_.take_due(now)) time_out(job);
  asked_ = now;
  spoken_to_ = true;
  return true;
}

}  // namespace somnus
