// What a policy decides: each decision is audited, and takes effect at once in what views show.
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/refused.hpp"

namespace somnus {

// Parts of each placement.

[[gnu::always_inline]] inline void Engine::audit_task(StageId stage, NodeId node) const {
  const bool known = stage.valid() && stage.index() < jobs_.catalogue().stages.size();
  if (!known) die(stage, node, "there is no such stage");
  if (!node.valid() || node.value() >= nodes_.count()) die(stage, node, "there is no such node");
  if (!jobs_.arrived(jobs_.catalogue()[stage].job)) die(stage, node, "its job has not arrived");
  if (!jobs_.ready(stage)) die(stage, node, "its parents have not ended");
  if (jobs_.runnable(stage) == 0) die(stage, node, "the stage has no runnable task");
  if (!nodes_.up(node)) die(stage, node, "the node is lost");
}

[[gnu::always_inline]] inline void Engine::audit_room(StageId stage, NodeId node) const {
  const bool full = view_.free_slots(node) == 0;
  if (full && !view_.queue()) die(stage, node, "the node has no free slot");
  if (!view_.usable(node)) {
    die(stage, node,
        view_.has_room(node) ? "the node has not offered itself in this round"
                             : "the node's queue is full");
  }
  if (!view_.fits(node, jobs_.demand(stage).amounts)) {
    die(stage, node, "its demand does not fit there");
  }
}

TaskId Engine::place(StageId stage, NodeId node) {
  audit_task(stage, node);
  const Stage& facts = jobs_.catalogue()[stage];
  if (facts.gang) die(stage, node, "its gang starts together");
  use_view_of(facts.job);
  audit_room(stage, node);
  if (!dying_.empty()) forget_kills(stage);
  return launch(stage, node, Into::any_slot);
}

// A Bug ends the run before the plan leaves, so none of the tasks has been placed then.
std::vector<TaskId> Engine::place_gang(StageId stage, std::span<const NodeId> nodes) {
  const NodeId first = nodes.empty() ? NodeId() : nodes.front();
  audit_task(stage, first);
  const std::uint32_t tasks = jobs_.catalogue()[stage].tasks;
  if (!jobs_.catalogue()[stage].gang) die(stage, first, "it is of no gang");
  if (nodes.size() != tasks) die(stage, first, "its gang gets another number of nodes");
  if (jobs_.runnable(stage) != tasks) die(stage, first, "not all tasks of its gang are runnable");
  use_view_of(jobs_.catalogue()[stage].job);
  if (!dying_.empty()) forget_kills(stage);
  const bool exclusive = jobs_.catalogue()[stage].exclusive;
  std::vector<TaskId> placed;
  for (const NodeId node : nodes) {
    audit_task(stage, node);
    exclusive ? audit_whole_node(stage, node) : audit_room(stage, node);
    placed.push_back(launch(stage, node, Into::any_slot));
  }
  return placed;
}

void Engine::preempt(StageId stage, StageId by, WorkDone done) {
  const auto known = [this](StageId one) {
    return one.valid() && one.index() < jobs_.catalogue().stages.size() &&
           jobs_.arrived(jobs_.catalogue()[one].job);
  };
  const auto expect = [&](bool holds, std::string_view what) {
    if (holds) return;
    throw Refused(fmt::format("preempts stage {} for stage {} at {} s, but {}", stage.value(),
                              by.value(), in_seconds(jobs_.now()), what));
  };
  expect(known(stage) && known(by), "there is no such stage");
  const Stage& facts = jobs_.catalogue()[stage];
  expect(facts.is_one_unit(), "it is neither a gang nor a single task");
  expect(jobs_.running(stage) == facts.tasks, "not all of it runs");
  expect(!jobs_.failed(facts.job), "its job has failed");
  expect(jobs_.runnable(by) > 0, "that has no runnable task");
  expect(dying_.insert(stage).second, "it has been killed already");
  if (done == WorkDone::kept) suspended_.insert(stage);
  plan_.put(Preemption{.stage = stage, .by = by});
  kill_all(facts);
}

void Engine::forget_kills(StageId stage) {
  dying_.erase(stage);
  suspended_.erase(stage);
}

TaskId Engine::place_reserved(StageId stage, NodeId node) {
  audit_task(stage, node);
  if (!use_held_slot(stage, node)) die(stage, node, "no slot is held for it there");
  return launch(stage, node, Into::held_slot);
}

TaskId Engine::launch(StageId stage, NodeId node, Into into) {
  const Stage& facts = jobs_.catalogue()[stage];
  if (facts.exclusive) [[unlikely]] {
    take_whole(stage, node);
  } else {
    nodes_.take(node, jobs_.demand(stage).amounts);
    feedback_->placed(facts.job, node, jobs_.task_estimate(stage), view_);
  }
  notify_of_nodes();
  const TaskId task = jobs_.launch(stage, node);
  const std::uint16_t attempt = jobs_.last_attempt(task);
  plan_.put(Launch{.task = task, .node = node, .attempt = attempt, .into = into, .stage = stage});
  if (limits_.any()) limits_.launched(jobs_.now(), stage, jobs_);
  if (speculation_.on()) {
    const bool is_backup = attempt != jobs_.attempt(task);
    speculation_.launched(jobs_.now(), task, attempt,
                          is_backup ? Speculation::Kind::backup : Speculation::Kind::original);
  }
  return task;
}

void Engine::take_whole(StageId stage, NodeId node) {
  if (whole_nodes_[stage][node]++ > 0) return nodes_.take_beside(node);
  nodes_.take_whole(node);
  feedback_->all_taken(node, true, view_);
}

void Engine::give_whole(StageId stage) {
  if (jobs_.running(stage) > 1) return;
  const auto its = whole_nodes_.find(stage);
  for (const auto& [node, tasks] : its->second) {
    nodes_.give_whole(node);
    feedback_->all_taken(node, false, view_);
  }
  whole_nodes_.erase(its);
}

void Engine::request(const Request& request) {
  std::visit(
      [this](const auto& one) {
        take_effect(one);
        plan_.put(one);
      },
      request);
}

void Engine::note(const Promise& promise) {
  const JobId job = promise.job;
  const bool known = job.index() < jobs_.catalogue().jobs.size() && jobs_.arrived(job);
  SOMNUS_CHECK(known, "the policy made a promise to job {} at {} s, which is not there",
               job.value(), in_seconds(jobs_.now()));
  if (job.index() >= promised_.size()) promised_.resize(job.index() + 1, never);
  promised_[job.index()] = promise.end;
  plan_.put(promise);
}

void Engine::take_effect(const Ask& ask) {
  if (ask.question != Question::decline || use_held_slot(ask.stage, ask.node)) return;
  throw Refused(
      fmt::format("declined a slot of node {} for stage {} at {} s, but none is held there",
                  ask.node.value(), ask.stage.value(), in_seconds(jobs_.now())));
}

void Engine::die(StageId stage, NodeId node, std::string_view why) const {
  throw Refused(fmt::format("placed a task of stage {} on node {} at {} s, but {}", stage.value(),
                            node.value(), in_seconds(jobs_.now()), why));
}

void Engine::audit_whole_node(StageId stage, NodeId node) const {
  const auto its = whole_nodes_.find(stage);
  const bool has_it = its != whole_nodes_.end() && its->second.contains(node);
  if (!has_it && !view_.is_idle(node)) die(stage, node, "other tasks are on the node");
  const std::uint32_t tasks = has_it ? its->second.at(node) : 0;
  const Resources& demand = jobs_.demand(stage).amounts;
  const std::uint64_t room = nodes_.capacity(node).holds(demand, nodes_.slots(node));
  if (tasks >= room) die(stage, node, "the node has no room for one more");
}

bool Engine::use_held_slot(StageId stage, NodeId node) {
  const auto held = held_.find(held_key(stage, node));
  if (held == held_.end()) return false;
  if (--held->second == 0) held_.erase(held);
  return true;
}

}  // namespace somnus
