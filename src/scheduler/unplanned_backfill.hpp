// Without any reservation: the next one that does not fit is waited for, or all others that fit
// start before it.
#pragma once

#include "scheduler/backfill.hpp"

namespace somnus {

class Unplanned final : public Backfill {
 public:
  enum class Next { is_waited_for, is_passed_over };
  explicit Unplanned(Next next) : next_(next) {}
  void round_begins(Time, const SchedulerView&) override {}
  [[nodiscard]] bool may_start(StageId, const SchedulerView&) override { return true; }
  [[nodiscard]] bool passes_over(StageId, const SchedulerView&) override {
    return next_ == Next::is_passed_over;
  }
  [[nodiscard]] bool any_may_preempt() const override { return next_ == Next::is_passed_over; }
  void launched(StageId, std::uint32_t, const SchedulerView&) override {}
  void task_ended(const TaskEnded&, StageId, const SchedulerView&) override {}
  void stage_runnable(StageId, const SchedulerView&) override {}
  void stage_withdrawn(StageId, const SchedulerView&) override {}
  void round_ends() override {}

 private:
  Next next_;
};

}  // namespace somnus
