// A set of emulated nodes without a scheduler: commands go in by hand, time stands still until
// run_to().
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/builders.hpp"
#include "workers/node_set.hpp"

namespace somnus::harness {

/// A node that is lost and comes back.
[[nodiscard]] inline std::vector<NodeFault> away(Duration from, Duration until) {
  return {{at(from), NodeId(0U), NodeChange::lost}, {at(until), NodeId(0U), NodeChange::returned}};
}

class Nodes {
 public:
  Nodes(const Cluster& cluster, const NodeModel& model)
      : set_(cluster, NodeId(0U), cluster.node_count(), model), node_count_(cluster.node_count()) {}

  /// Each launch is a task of its own, numbered from 0.
  struct Task {
    std::uint32_t node = 0;
    Duration nominal{};
    std::uint32_t app = 0;
    double warmup = 0;                   // 0: the model's
    std::optional<Duration> first = {};  // none: nominal
    std::optional<Duration> fresh = {};  // none: first
    Duration estimate{};
    std::uint32_t job = 0;
    std::uint32_t stage = 0;
    Duration leaves{};  // the job's manager, if that is later than now
    Into into = Into::any_slot;
    Incarnation incarnation = 0;
  };
  [[nodiscard]] static TaskTimes times_of(const Task& task) {
    TaskTimes times = TaskTimes::alike(task.nominal, task.warmup);
    times.first = task.first.value_or(task.nominal);
    times.fresh = task.fresh.value_or(times.first);
    return times;
  }
  TaskId launch(Duration now, const Task& task) {
    run_to(now);
    const TaskId id(next_task_++);
    set_.send(at(now), LaunchMessage{.sent = std::max(at(now), at(task.leaves)),
                                     .times = times_of(task),
                                     .estimate = task.estimate,
                                     .task = id,
                                     .node = NodeId(task.node),
                                     .app = AppId(task.app),
                                     .job = JobId(task.job),
                                     .stage = StageId(task.stage),
                                     .into = task.into,
                                     .incarnation = task.incarnation});
    return id;
  }
  void launch_on_each(Duration now, Task task) {
    for (task.node = 0; task.node < node_count_; ++task.node) launch(now, task);
  }
  struct Question {
    somnus::Question question = somnus::Question::probe;
    std::uint32_t node = 0;
    std::uint32_t job = 0;
    std::uint32_t stage = 0;
    Duration estimate{};
  };
  void ask(Duration now, const Question& question) {
    run_to(now);
    set_.send(at(now), AskMessage{.sent = at(now),
                                  .estimate = question.estimate,
                                  .node = NodeId(question.node),
                                  .stage = StageId(question.stage),
                                  .job = JobId(question.job),
                                  .question = question.question});
    run_to(now);
  }
  void revoke(Duration now, std::uint32_t node, double length) {
    run_to(now);
    set_.send(at(now), RevokeMessage{.sent = at(now), .length = length, .node = NodeId(node)});
    run_to(now);
  }
  void reset(Duration now, std::uint32_t node, Incarnation incarnation) {
    run_to(now);
    set_.send(at(now),
              ResetMessage{.sent = at(now), .node = NodeId(node), .incarnation = incarnation});
    run_to(now);
  }
  void kill(Duration now, std::uint32_t node, TaskId task) {
    run_to(now);
    set_.send(at(now), KillMessage{.sent = at(now), .task = task, .node = NodeId(node)});
    run_to(now);
  }
  void announce(const JobUpdate& update) { set_.announce(update); }

  /// Does all that is due until then, at the instant when it is due.
  void run_to(Duration now) {
    while (set_.next() <= at(now)) advance(std::max(now_, set_.next()));
    advance(at(now));
  }
  /// A sleeper for someone else (external sleep) wakes up.
  void woke(Duration now, std::uint32_t slot) {
    run_to(now);
    set_.woke(at(now), slot);
    advance(at(now));
  }
  /// Wakes up just then, however late that is.
  void advance(Time now) {
    now_ = now;
    Reports reports;
    set_.advance(now, reports);
    reports.for_each([&](const auto& kind) {
      for (const auto& each : kind) EXPECT_LE(each.due, now) << "reported before it was due";
    });
    reports_.append(reports);
  }

  [[nodiscard]] NodeSet& set() { return set_; }
  [[nodiscard]] const std::vector<CompletionMessage>& ends() const {
    return reports_.get<CompletionMessage>();
  }
  [[nodiscard]] const std::vector<NodeStatusMessage>& statuses() const {
    return reports_.get<NodeStatusMessage>();
  }
  [[nodiscard]] const std::vector<AnswerMessage>& answers() const {
    return reports_.get<AnswerMessage>();
  }
  /// The report on that task, which must have come.
  [[nodiscard]] CompletionMessage end_of(TaskId task) const {
    for (const CompletionMessage& each : ends()) {
      if (each.task == task) return each;
    }
    ADD_FAILURE() << "no report on task " << task.value();
    return {};
  }

 private:
  NodeSet set_;
  std::uint32_t node_count_;
  Reports reports_;
  Time now_ = start_of_time;
  std::uint32_t next_task_ = 0;
};

}  // namespace somnus::harness
