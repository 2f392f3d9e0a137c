#include "policy/loans.hpp"

#include <algorithm>

namespace somnus {

Loans::Loans(const Dimensions& dimensions)
    : only_slots_(dimensions.only_slots()), all_(dimensions.totals()) {}

DemandSpan Loans::demand(StageId stage, const JobTable& jobs) const {
  static constexpr std::int64_t one_slot[] = {1};
  if (only_slots_) return one_slot;
  return jobs.demand(stage).amounts.millionths();
}

void Loans::begin(Time now) {
  known_ = true;
  now_ = now;
  all_.clear();
}

void Loans::running(const RunningTasks& tasks, const JobTable& jobs) {
  all_.take(Duration::zero(), tasks.end - now_, demand(tasks.stage, jobs), tasks.tasks);
}

void Loans::planned(const LatestStart& start, const JobTable& jobs) {
  const Duration begin = std::max(start.at, now_) - now_;
  all_.take(begin, begin + jobs.task_estimate(start.stage), demand(start.stage, jobs),
            start.tasks);
}

bool Loans::allow(StageId stage, Time instead, const JobTable& jobs) {
  const Duration span = jobs.task_estimate(stage);
  const DemandSpan asked = demand(stage, jobs);
  const Duration planned = std::max(instead, now_) - now_;
  all_.give(planned, planned + span, asked, 1);
  const bool fits = all_.room(all_.step_at(Duration::zero()), span, asked, 1) > 0;
  all_.take(planned, planned + span, asked, 1);
  return fits;
}

void Loans::started(StageId stage, Time instead, const JobTable& jobs) {
  const Duration span = jobs.task_estimate(stage);
  const Duration planned = std::max(instead, now_) - now_;
  all_.give(planned, planned + span, demand(stage, jobs), 1);
  all_.take(Duration::zero(), span, demand(stage, jobs), 1);
}

}  // namespace somnus
