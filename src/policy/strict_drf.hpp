// DRF with strict quotas: jobs in the order of progressive filling (drf.hpp), but none beyond what
// the closed form entitles it to (quotas.hpp), though resources stay free. What Carbyne's Fig. 2
// has as fair; not work-conserving, and 2.4 times slower than DRF on the TPC-H mix
// (policies.md 6.1).
#pragma once

#include <optional>
#include <tuple>

#include "policy/drf.hpp"
#include "policy/quotas.hpp"

namespace somnus {

struct StrictDrfRules {
  static constexpr auto fields() { return std::tuple{}; }
  [[nodiscard]] static OrderTraits traits() { return {.work_conserving = false}; }
};

class StrictDrf final : public Order {
 public:
  using Rules = StrictDrfRules;
  StrictDrf(const Rules& /*rules*/, const Surroundings& surroundings)
      : filling_(drf_in(surroundings)), quotas_(surroundings.cluster) {}

  void job_arrived(Time now, JobId job, const Picture& picture) override {
    quotas_.job_arrived(job, picture.jobs);
    filling_.job_arrived(now, job, picture);
  }
  void stage_runnable(Time now, StageId stage, const Picture& picture) override {
    filling_.stage_runnable(now, stage, picture);
  }
  void task_launched(TaskId task, StageId stage, const Picture& picture) override {
    filling_.task_launched(task, stage, picture);
  }
  void task_ended(const TaskEnded& end, StageId stage, const Picture& picture) override {
    filling_.task_ended(end, stage, picture);
  }
  void job_ended(JobId job, const Picture& picture) override {
    quotas_.job_ended(job);
    filling_.job_ended(job, picture);
  }

  [[nodiscard]] StageId next(const Picture& picture) override {
    StageId stage = filling_.next(picture);
    while (stage.valid() && !quotas_.allow(stage, picture.jobs)) {
      filling_.set_aside(stage, picture);
      stage = filling_.next(picture);
    }
    return stage;
  }
  void set_aside(StageId stage, const Picture& picture) override {
    filling_.set_aside(stage, picture);
  }
  void restore(const Picture& picture) override { filling_.restore(picture); }
  [[nodiscard]] std::optional<Target> target_of(JobId job, const Picture& picture) const override {
    return filling_.target_of(job, picture);
  }

 private:
  static Drf drf_in(const Surroundings& surroundings) {
    Drf drf;
    drf.on(Settled{surroundings});
    return drf;
  }

  Ranked<Drf> filling_;
  Quotas quotas_;
};

}  // namespace somnus
