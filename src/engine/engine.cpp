#include "engine/engine.hpp"

#include <utility>

#include "base/error.hpp"

namespace somnus {

Engine::Engine(const Catalogue& catalogue, const Cluster& cluster, std::unique_ptr<Policy> policy,
               Feedback feedback)
    : policy_(std::move(policy)), jobs_(catalogue), nodes_(cluster, feedback) {}

bool Engine::handle(Time now, const Event& event) {
  SOMNUS_CHECK(now >= now_, "an event at {} s follows one at {} s", in_seconds(now),
               in_seconds(now_));
  now_ = now;
  return std::visit([&](const auto& one) { return on(now, one); }, event);
}

std::span<const Launch> Engine::plan(Time now) {
  plan_.clear();
  if (jobs_.runnable_tasks() > 0) policy_->plan(now, *this);
  nodes_.withdraw_offers();
  return plan_;
}

TaskId Engine::place(StageId stage, NodeId node) {
  audit(stage, node);
  nodes_.take(node, jobs_.catalogue()[stage].demand);
  const TaskId task = jobs_.launch(stage, node);
  plan_.push_back({.task = task, .node = node, .attempt = jobs_.attempt(task), .stage = stage});
  return task;
}

void Engine::audit(StageId stage, NodeId node) const {
  const auto die = [&](std::string_view why) {
    throw Bug(fmt::format("the policy placed a task of stage {} on node {} at {} s, but {}",
                          stage.value(), node.value(), in_seconds(now_), why));
  };
  if (!stage.valid() || stage.index() >= jobs_.catalogue().stages.size()) {
    die("there is no such stage");
  }
  if (!node.valid() || node.value() >= nodes_.count()) die("there is no such node");
  if (!jobs_.arrived(jobs_.catalogue()[stage].job)) die("its job has not arrived");
  if (!jobs_.ready(stage)) die("its parents have not ended");
  if (jobs_.runnable(stage) == 0) die("the stage has no runnable task");
  if (!nodes_.up(node)) die("the node is lost");
  if (nodes_.free_slots(node) == 0) die("the node has no free slot");
  if (!nodes_.usable(node)) die("the node has not offered itself in this round");
  if (!nodes_.fits(node, jobs_.catalogue()[stage].demand)) die("its demand does not fit there");
}

bool Engine::on(Time now, const JobArrived& event) {
  jobs_.arrive(now, event.job);
  policy_->job_arrived(now, event.job, picture());
  for (StageId stage = jobs_.head(event.job); stage.valid(); stage = jobs_.runnable_after(stage)) {
    policy_->stage_runnable(now, stage, picture());
  }
  return true;
}

bool Engine::on(Time, const StageEstimated& event) {
  jobs_.estimate(event.stage, event.slot_time);
  return true;
}

bool Engine::on(Time now, const TaskEnded& event) {
  const bool runs = event.task.index() < jobs_.catalogue().tasks &&
                    jobs_.state(event.task) == TaskState::running &&
                    jobs_.attempt(event.task) == event.attempt &&
                    jobs_.node(event.task) == event.node;
  if (!runs) return false;
  const StageId stage_id = jobs_.catalogue().stage_of[event.task.index()];
  const Stage& stage = jobs_.catalogue()[stage_id];
  nodes_.give(event.node, stage.demand);
  const JobTable::Effect effect = jobs_.end(event.task, event.outcome);
  policy_->task_ended(event, stage_id, picture());
  if (effect.runnable_again) policy_->stage_runnable(now, stage_id, picture());
  if (effect.stage_ended) {
    for (const StageId child : jobs_.catalogue().children_of(stage)) {
      if (jobs_.parent_ended(now, child)) policy_->stage_runnable(now, child, picture());
    }
  }
  if (effect.job_ended) policy_->job_ended(stage.job, picture());
  return true;
}

bool Engine::on(Time, const NodeOffered& event) {
  nodes_.offer(event.node);
  return true;
}

bool Engine::on(Time, const NodeLost& event) {
  nodes_.lose(event.node);
  return true;
}

bool Engine::on(Time, const NodeReturned& event) {
  nodes_.restore(event.node);
  return true;
}

}  // namespace somnus
