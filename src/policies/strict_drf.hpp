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
  [[nodiscard]] static OrderTraits traits() {
    return {.work_conserving = false, .by_single_tasks = true};
  }
};

class StrictDrf final : public Order {
 public:
  using Rules = StrictDrfRules;
  StrictDrf(const Rules& /*rules*/, const Environment& environment)
      : filling_(drf_in(environment)), quotas_(environment.cluster) {}

  void job_arrived(Time now, JobId job, const SchedulerView& view) override {
    quotas_.job_arrived(job, view.jobs);
    quotas_changed_ = true;
    if (job.index() >= left_out_.size()) left_out_.resize(job.index() + 1);
    held_back_.grow(job.value() + 1);
    filling_.job_arrived(now, job, view);
  }
  void stage_runnable(Time now, StageId stage, const SchedulerView& view) override {
    filling_.stage_runnable(now, stage, view);
  }
  void stage_withdrawn(StageId stage, const SchedulerView& view) override {
    filling_.stage_withdrawn(stage, view);
  }
  void task_launched(TaskId task, StageId stage, const SchedulerView& view) override {
    filling_.task_launched(task, stage, view);
  }
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) override {
    filling_.task_ended(end, stage, view);
    take_back(view.jobs.job_of(stage), view);
  }
  void job_ended(JobId job, const SchedulerView& view) override {
    quotas_.job_ended(job);
    quotas_changed_ = true;
    left_out_[job.index()].clear();
    held_back_.erase(job.value());
    filling_.job_ended(job, view);
  }
  void round_begins(Time /*now*/, const SchedulerView& view) override {
    if (!std::exchange(quotas_changed_, false)) return;
    for (std::uint32_t job = 0; (job = held_back_.first(job)) != BitIndex::none; ++job) {
      take_back(JobId(job), view);
    }
  }

  [[nodiscard]] StageId next(const SchedulerView& view) override {
    StageId stage = filling_.next(view);
    while (stage.valid() && !quotas_.allow(stage, view.jobs)) {
      const JobId job = view.jobs.job_of(stage);
      left_out_[job.index()].push_back(stage);
      held_back_.insert(job.value());
      filling_.leave_out(stage, view);
      stage = filling_.next(view);
    }
    return stage;
  }
  [[nodiscard]] bool holds_back(StageId stage, const SchedulerView& view) override {
    return filling_.holds_back(stage, view) || !quotas_.allow(stage, view.jobs);
  }
  [[nodiscard]] bool is_closed(StageId stage, const SchedulerView& view) override {
    return filling_.is_closed(stage, view) || !quotas_.allow(stage, view.jobs);
  }
  void set_aside(StageId stage, const SchedulerView& view) override {
    filling_.set_aside(stage, view);
  }
  void restore(const SchedulerView& view) override { filling_.restore(view); }
  [[nodiscard]] std::optional<Target> target_of(JobId job,
                                                const SchedulerView& view) const override {
    return filling_.target_of(job, view);
  }

 private:
  static Drf drf_in(const Environment& environment) {
    Drf drf;
    drf.on(Configured{environment});
    return drf;
  }

  void take_back(JobId job, const SchedulerView& view) {
    for (const StageId stage : left_out_[job.index()]) filling_.take_back(stage, view);
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
