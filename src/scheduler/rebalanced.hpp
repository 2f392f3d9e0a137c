// Queue rebalancing (Mercury; Yaq section 3.2; policies.md 4.2): a monitor compares what nodes
// report, anew every interval, and takes tasks back from queues that are too long.
//
//     limit = clamp(mean + sigma * standard deviation, low, high)      [tasks or s]
//
// mean and deviation are over all nodes that are up, of the length of their queues or of the
// estimated wait there. A node whose heartbeat is above the limit gets a Revoke for what is
// beyond; those tasks return to their jobs' managers and are placed again. What has started by the
// time the Revoke comes stays.
#pragma once

#include <memory>
#include <vector>

#include "scheduler/policy.hpp"

namespace somnus {

class Rebalanced final : public Policy {
 public:
  Rebalanced(std::unique_ptr<Policy> policy, const QueueRules& rules)
      : policy_(std::move(policy)), rules_(rules) {}

  void job_arrived(Time now, JobId job, const SchedulerView& view) override {
    policy_->job_arrived(now, job, view);
  }
  void stage_runnable(Time now, StageId stage, const SchedulerView& view) override {
    policy_->stage_runnable(now, stage, view);
  }
  void stage_withdrawn(StageId stage, const SchedulerView& view) override {
    policy_->stage_withdrawn(stage, view);
  }
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) override {
    policy_->task_ended(end, stage, view);
  }
  void job_ended(JobId job, const SchedulerView& view) override { policy_->job_ended(job, view); }
  [[nodiscard]] bool follows_nodes() const override { return policy_->follows_nodes(); }
  void node_changed(NodeId node, const SchedulerView& view) override {
    policy_->node_changed(node, view);
  }
  void node_reported(Time now, const NodeOffered& report, const SchedulerView& view) override;
  void node_answered(const NodeAnswered& answer, const SchedulerView& view) override {
    policy_->node_answered(answer, view);
  }
  void plan(Time now, SchedulerContext& context) override;
  void blame(const std::string& deed) const override { policy_->blame(deed); }
  [[nodiscard]] Time wakes_at() const override { return policy_->wakes_at(); }
  [[nodiscard]] std::span<const Promise> promises() const override { return policy_->promises(); }
  [[nodiscard]] std::optional<Target> target_of(JobId job,
                                                const SchedulerView& view) const override {
    return policy_->target_of(job, view);
  }

 private:
  void compare(const SchedulerView& view);

  std::unique_ptr<Policy> policy_;
  QueueRules rules_;
  std::vector<double> reported_;  // by node
  Time next_comparison_ = start_of_time;
  double limit_ = 0;
  std::vector<Revoke> revokes_;
};

}  // namespace somnus
