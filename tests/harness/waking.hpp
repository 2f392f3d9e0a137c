// Policies that want to be asked though nothing else happens, or say more than what is to start.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "scheduler/policy.hpp"

namespace somnus::harness {

/// Lets another policy plan, and wants to be asked when a test says.
class Waking : public Policy {
 public:
  explicit Waking(std::unique_ptr<Policy> policy) : policy_(std::move(policy)) {}
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
  void plan(Time now, SchedulerContext& context) override { policy_->plan(now, context); }

 private:
  std::unique_ptr<Policy> policy_;
};

/// Starts tasks at multiples of the period only.
class Periodic final : public Waking {
 public:
  Periodic(std::unique_ptr<Policy> policy, Duration period)
      : Waking(std::move(policy)), period_(period) {}
  void plan(Time now, SchedulerContext& context) override {
    const Duration since_last = (now - start_of_time) % period_;
    if (since_last == Duration::zero()) Waking::plan(now, context);
    next_ = context.scheduler_view().jobs.runnable_tasks() > 0 ? now - since_last + period_ : never;
  }
  [[nodiscard]] Time wakes_at() const override { return next_; }

 private:
  Duration period_;
  Time next_ = never;
};

/// Wants to be asked at one time, and never hears that it was.
class Stubborn final : public Waking {
 public:
  Stubborn(std::unique_ptr<Policy> policy, Time wish) : Waking(std::move(policy)), wish_(wish) {}
  [[nodiscard]] Time wakes_at() const override { return wish_; }

 private:
  Time wish_;
};

/// Promises each job that arrived since the last plan an end so much later.
class Promising final : public Waking {
 public:
  Promising(std::unique_ptr<Policy> policy, Duration within)
      : Waking(std::move(policy)), within_(within) {}
  void job_arrived(Time now, JobId job, const SchedulerView& view) override {
    arrived_.push_back(job);
    Waking::job_arrived(now, job, view);
  }
  void plan(Time now, SchedulerContext& context) override {
    promises_.clear();
    for (const JobId job : std::exchange(arrived_, {})) promises_.push_back({job, now + within_});
    Waking::plan(now, context);
  }
  [[nodiscard]] std::span<const Promise> promises() const override { return promises_; }

 private:
  Duration within_;
  std::vector<JobId> arrived_;
  std::vector<Promise> promises_;
};

}  // namespace somnus::harness
