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

  void job_arrived(Time now, JobId job, const SchedulerView& picture) override {
    policy_->job_arrived(now, job, picture);
  }
  void stage_runnable(Time now, StageId stage, const SchedulerView& picture) override {
    policy_->stage_runnable(now, stage, picture);
  }
  void stage_withdrawn(StageId stage, const SchedulerView& picture) override {
    policy_->stage_withdrawn(stage, picture);
  }
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& picture) override {
    policy_->task_ended(end, stage, picture);
  }
  void job_ended(JobId job, const SchedulerView& picture) override {
    policy_->job_ended(job, picture);
  }
  [[nodiscard]] bool follows_nodes() const override { return policy_->follows_nodes(); }
  void node_changed(NodeId node, const SchedulerView& picture) override {
    policy_->node_changed(node, picture);
  }
  void node_reported(Time now, const NodeOffered& report, const SchedulerView& picture) override;
  void node_answered(const NodeAnswered& answer, const SchedulerView& picture) override {
    policy_->node_answered(answer, picture);
  }
  void plan(Time now, SchedulerContext& context) override;
  [[nodiscard]] Time wakes_at() const override { return policy_->wakes_at(); }
  [[nodiscard]] std::span<const Promise> promises() const override { return policy_->promises(); }
  [[nodiscard]] std::optional<Target> target_of(JobId job,
                                                const SchedulerView& picture) const override {
    return policy_->target_of(job, picture);
  }

 private:
  void compare(const SchedulerView& picture);

  std::unique_ptr<Policy> policy_;
  QueueRules rules_;
  std::vector<double> reported_;  // by node
  Time next_comparison_ = start_of_time;
  double limit_ = 0;
  std::vector<Revoke> revokes_;
};

}  // namespace somnus
