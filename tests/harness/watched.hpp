// A policy with a witness beside it: the witness hears what the policy hears and sees each decision
// before it takes effect.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "scheduler/policy.hpp"

namespace somnus::harness {

class Witness {
 public:
  virtual ~Witness() = default;
  virtual void job_arrived(Time, JobId) {}
  virtual void stage_runnable(Time, StageId) {}
  virtual void task_ended(const TaskEnded&, StageId) {}
  virtual void planning(Time) {}
  virtual void placing(StageId, NodeId, const SchedulerView&) {}
  virtual void planned(const SchedulerView&) {}
};

class Watched final : public Policy {
 public:
  Watched(std::unique_ptr<Policy> policy, Witness& witness)
      : policy_(std::move(policy)), witness_(witness) {}
  void job_arrived(Time now, JobId job, const SchedulerView& view) override {
    witness_.job_arrived(now, job);
    policy_->job_arrived(now, job, view);
  }
  void stage_runnable(Time now, StageId stage, const SchedulerView& view) override {
    witness_.stage_runnable(now, stage);
    policy_->stage_runnable(now, stage, view);
  }
  void stage_withdrawn(StageId stage, const SchedulerView& view) override {
    policy_->stage_withdrawn(stage, view);
  }
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) override {
    witness_.task_ended(end, stage);
    policy_->task_ended(end, stage, view);
  }
  void job_ended(JobId job, const SchedulerView& view) override { policy_->job_ended(job, view); }
  [[nodiscard]] bool follows_nodes() const override { return policy_->follows_nodes(); }
  void node_changed(NodeId node, const SchedulerView& view) override {
    policy_->node_changed(node, view);
  }
  void node_reported(Time now, const NodeOffered& report, const SchedulerView& view) override {
    policy_->node_reported(now, report, view);
  }
  void node_answered(const NodeAnswered& answer, const SchedulerView& view) override {
    policy_->node_answered(answer, view);
  }
  void plan(Time now, SchedulerContext& context) override {
    witness_.planning(now);
    WatchedContext watched(context, witness_);
    policy_->plan(now, watched);
    witness_.planned(context.scheduler_view());
  }
  [[nodiscard]] Time wakes_at() const override { return policy_->wakes_at(); }
  [[nodiscard]] std::span<const Promise> promises() const override { return policy_->promises(); }
  [[nodiscard]] std::optional<Target> target_of(JobId job,
                                                const SchedulerView& view) const override {
    return policy_->target_of(job, view);
  }

 private:
  class WatchedContext final : public SchedulerContext {
   public:
    WatchedContext(SchedulerContext& context, Witness& witness)
        : context_(context), witness_(witness) {}
    [[nodiscard]] const SchedulerView& scheduler_view() const override {
      return context_.scheduler_view();
    }
    void use_view_of(JobId manager) override { context_.use_view_of(manager); }
    [[nodiscard]] bool managers_see_the_same() const override {
      return context_.managers_see_the_same();
    }
    TaskId place(StageId stage, NodeId node) override {
      witness_.placing(stage, node, context_.scheduler_view());
      return context_.place(stage, node);
    }
    void preempt(StageId stage, StageId by, WorkDone done) override {
      context_.preempt(stage, by, done);
    }
    std::vector<TaskId> place_gang(StageId stage, std::span<const NodeId> nodes) override {
      for (const NodeId node : nodes) {
        witness_.placing(stage, node, context_.scheduler_view());
      }
      return context_.place_gang(stage, nodes);
    }
    TaskId place_reserved(StageId stage, NodeId node) override {
      witness_.placing(stage, node, context_.scheduler_view());
      return context_.place_reserved(stage, node);
    }
    void request(const Request& request) override { context_.request(request); }
    void note(const Reservation& reservation) override { context_.note(reservation); }

   private:
    SchedulerContext& context_;
    Witness& witness_;
  };

  std::unique_ptr<Policy> policy_;
  Witness& witness_;
};

}  // namespace somnus::harness
