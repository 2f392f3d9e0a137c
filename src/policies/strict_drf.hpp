// DRF with strict quotas: jobs in the order of progressive filling (drf.hpp), but none beyond what
// the closed form entitles it to (quotas.hpp), though resources stay free. What Carbyne's Fig. 2
// has as fair; not work-conserving, and 2.4 times slower than DRF on the TPC-H mix
// (policies.md 6.1).
//
// A stage for whose tasks its job's quota has no room is looked at again only when a task of the
// job has ended or quotas have changed.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/bit_index.hpp"
#include "policies/drf.hpp"
#include "policies/quotas.hpp"
#include "scheduler/ranked.hpp"

namespace somnus {

struct StrictDrfRules {
  static constexpr auto fields() { return in_order(); }
  [[nodiscard]] static OrderTraits traits() { return {.work_conserving = false}; }
};

class StrictDrf final : public Order {
 public:
  using Rules = StrictDrfRules;
  StrictDrf(const Rules& /*rules*/, const Environment& environment)
      : filling_(drf_in(environment)), quotas_(environment.cluster) {}

  void job_arrived(Time now, JobId job, const SchedulerView& picture) override {
    quotas_.job_arrived(job, picture.jobs);
    quotas_changed_ = true;
    if (job.index() >= left_out_.size()) left_out_.resize(job.index() + 1);
    held_back_.grow(job.value() + 1);
    filling_.job_arrived(now, job, picture);
  }
  void stage_runnable(Time now, StageId stage, const SchedulerView& picture) override {
    filling_.stage_runnable(now, stage, picture);
  }
  void stage_withdrawn(StageId stage, const SchedulerView& picture) override {
    filling_.stage_withdrawn(stage, picture);
  }
  void task_launched(TaskId task, StageId stage, const SchedulerView& picture) override {
    filling_.task_launched(task, stage, picture);
  }
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& picture) override {
    filling_.task_ended(end, stage, picture);
    take_back(picture.jobs.job_of(stage), picture);
  }
  void job_ended(JobId job, const SchedulerView& picture) override {
    quotas_.job_ended(job);
    quotas_changed_ = true;
    left_out_[job.index()].clear();
    held_back_.erase(job.value());
    filling_.job_ended(job, picture);
  }
  void round_begins(Time /*now*/, const SchedulerView& picture) override {
    if (!std::exchange(quotas_changed_, false)) return;
    for (std::uint32_t job = 0; (job = held_back_.first(job)) != BitIndex::none; ++job) {
      take_back(JobId(job), picture);
    }
  }

  [[nodiscard]] StageId next(const SchedulerView& picture) override {
    StageId stage = filling_.next(picture);
    while (stage.valid() && !quotas_.allow(stage, picture.jobs)) {
      const JobId job = picture.jobs.job_of(stage);
      left_out_[job.index()].push_back(stage);
      held_back_.insert(job.value());
      filling_.leave_out(stage, picture);
      stage = filling_.next(picture);
    }
    return stage;
  }
  [[nodiscard]] bool holds_back(StageId stage, const SchedulerView& picture) override {
    return filling_.holds_back(stage, picture) || !quotas_.allow(stage, picture.jobs);
  }
  void set_aside(StageId stage, const SchedulerView& picture) override {
    filling_.set_aside(stage, picture);
  }
  void restore(const SchedulerView& picture) override { filling_.restore(picture); }
  [[nodiscard]] std::optional<Target> target_of(JobId job,
                                                const SchedulerView& picture) const override {
    return filling_.target_of(job, picture);
  }

 private:
  static Drf drf_in(const Environment& environment) {
    Drf drf;
    drf.on(Configured{environment});
    return drf;
  }

  void take_back(JobId job, const SchedulerView& picture) {
    for (const StageId stage : left_out_[job.index()]) filling_.take_back(stage, picture);
    left_out_[job.index()].clear();
    held_back_.erase(job.value());
  }

  Ranked<Drf> filling_;
  Quotas quotas_;
  bool quotas_changed_ = false;
  std::vector<std::vector<StageId>> left_out_;  // by job: beyond its quota
  BitIndex held_back_{0};                       // jobs that have such
};

}  // namespace somnus
