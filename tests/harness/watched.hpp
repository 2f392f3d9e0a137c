// A policy with a witness beside it: the witness hears what the policy hears and sees each decision
// before it takes effect.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "policy/policy.hpp"

namespace somnus::harness {

class Witness {
 public:
  virtual ~Witness() = default;
  virtual void job_arrived(Time, JobId) {}
  virtual void stage_runnable(Time, StageId) {}
  virtual void task_ended(const TaskEnded&, StageId) {}
  virtual void planning(Time) {}
  virtual void placing(StageId, NodeId, const Picture&) {}
  virtual void planned(const Picture&) {}
};

class Watched final : public Policy {
 public:
  Watched(std::unique_ptr<Policy> policy, Witness& witness)
      : policy_(std::move(policy)), witness_(witness) {}
  void job_arrived(Time now, JobId job, const Picture& picture) override {
    witness_.job_arrived(now, job);
    policy_->job_arrived(now, job, picture);
  }
  void stage_runnable(Time now, StageId stage, const Picture& picture) override {
    witness_.stage_runnable(now, stage);
    policy_->stage_runnable(now, stage, picture);
  }
  void stage_withdrawn(StageId stage, const Picture& picture) override {
    policy_->stage_withdrawn(stage, picture);
  }
  void task_ended(const TaskEnded& end, StageId stage, const Picture& picture) override {
    witness_.task_ended(end, stage);
    policy_->task_ended(end, stage, picture);
  }
  void job_ended(JobId job, const Picture& picture) override { policy_->job_ended(job, picture); }
  [[nodiscard]] bool follows_nodes() const override { return policy_->follows_nodes(); }
  void node_changed(NodeId node, const Picture& picture) override {
    policy_->node_changed(node, picture);
  }
  void node_reported(Time now, const NodeOffered& report, const Picture& picture) override {
    policy_->node_reported(now, report, picture);
  }
  void node_answered(const NodeAnswered& answer, const Picture& picture) override {
    policy_->node_answered(answer, picture);
  }
  void plan(Time now, Desk& desk) override {
    witness_.planning(now);
    WatchedDesk watched(desk, witness_);
    policy_->plan(now, watched);
    witness_.planned(desk.picture());
  }
  [[nodiscard]] Time wakes_at() const override { return policy_->wakes_at(); }
  [[nodiscard]] std::span<const Promise> promises() const override { return policy_->promises(); }
  [[nodiscard]] std::optional<Target> target_of(JobId job, const Picture& picture) const override {
    return policy_->target_of(job, picture);
  }

 private:
  class WatchedDesk final : public Desk {
   public:
    WatchedDesk(Desk& desk, Witness& witness) : desk_(desk), witness_(witness) {}
    [[nodiscard]] Picture picture() const override { return desk_.picture(); }
    void look_as(JobId manager) override { desk_.look_as(manager); }
    [[nodiscard]] bool managers_see_the_same() const override {
      return desk_.managers_see_the_same();
    }
    TaskId place(StageId stage, NodeId node) override {
      witness_.placing(stage, node, desk_.picture());
      return desk_.place(stage, node);
    }
    TaskId place_reserved(StageId stage, NodeId node) override {
      witness_.placing(stage, node, desk_.picture());
      return desk_.place_reserved(stage, node);
    }
    void say(const Request& request) override { desk_.say(request); }

   private:
    Desk& desk_;
    Witness& witness_;
  };

  std::unique_ptr<Policy> policy_;
  Witness& witness_;
};

}  // namespace somnus::harness
