#include "policies/loans.hpp"

#include <algorithm>

namespace somnus {

Loans::Loans(const Dimensions& dimensions) : dimensions_(dimensions), all_(dimensions.totals()) {}

void Loans::begin(Time now) {
  known_ = true;
  now_ = now;
  all_.clear();
}

void Loans::running(const RunningTasks& tasks, JobsView jobs) {
  all_.take(Duration::zero(), tasks.end - now_, dimensions_.demand(tasks.stage, jobs), tasks.tasks);
}

void Loans::planned(const LatestStart& start, JobsView jobs) {
  const Duration begin = std::max(start.at, now_) - now_;
  all_.take(begin, begin + jobs.task_estimate(start.stage), dimensions_.demand(start.stage, jobs),
            start.tasks);
}

bool Loans::allow(StageId stage, Time instead, JobsView jobs) {
  const Duration span = jobs.task_estimate(stage);
  const DemandSpan asked = dimensions_.demand(stage, jobs);
  const Duration planned = std::max(instead, now_) - now_;
  all_.give(planned, planned + span, asked, 1);
  const bool fits = all_.room(all_.step_at(Duration::zero()), span, asked, 1) > 0;
  all_.take(planned, planned + span, asked, 1);
  return fits;
}

void Loans::started(StageId stage, Time instead, JobsView jobs) {
  const Duration span = jobs.task_estimate(stage);
  const Duration planned = std::max(instead, now_) - now_;
  all_.give(planned, planned + span, dimensions_.demand(stage, jobs), 1);
  all_.take(Duration::zero(), span, dimensions_.demand(stage, jobs), 1);
}

}  // namespace somnus
