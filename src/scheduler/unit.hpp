// What an order sorts: whole jobs (CFQ's job context) or single stages.
#pragma once

#include <cstdint>

#include "base/describe.hpp"
#include "scheduler/scheduler_view.hpp"

namespace somnus {

enum class Level { job, stage };
template <>
struct EnumNames<Level> {
  static constexpr std::pair<Level, const char*> names[] = {{Level::job, "job"},
                                                            {Level::stage, "stage"}};
};

/// One job or one stage, as the scheduler knows it. A view, for the moment of a call.
class Unit {
 private:
  template <class Get>
  [[nodiscard]] auto of(Get get) const {
    return level_ == Level::job ? get(JobId(index_)) : get(StageId(index_));
  }

 public:
  Unit(JobId job, const SchedulerView& view)
      : level_(Level::job), index_(job.value()), jobs_(view.jobs) {}
  Unit(StageId stage, const SchedulerView& view)
      : level_(Level::stage), index_(stage.value()), jobs_(view.jobs) {}

  [[nodiscard]] Level level() const { return level_; }
  /// All that the scheduler knows of jobs.
  [[nodiscard]] JobsView jobs() const { return jobs_; }
  /// Dense among units of its level; smaller = arrived earlier.
  [[nodiscard]] std::uint32_t index() const { return index_; }

  /// The job, or the stage's.
  [[nodiscard]] JobId job() const {
    return level_ == Level::job ? JobId(index_) : jobs_[StageId(index_)].job;
  }
  [[nodiscard]] UserId user() const { return jobs_[job()].user; }
  [[nodiscard]] QueueId queue() const { return jobs_[job()].queue; }
  [[nodiscard]] Accounting accounting() const { return jobs_.accounting(job()); }
  [[nodiscard]] Time arrival() const { return jobs_.arrival(job()); }

  [[nodiscard]] Time now() const { return jobs_.now(); }
  [[nodiscard]] double weight() const { return jobs_[job()].weight; }
  [[nodiscard]] double weight_of_user() const { return jobs_.weight_of_user(job()); }
  /// For how long its job may run; without a limit as long as there is time.
  [[nodiscard]] Duration limit() const { return jobs_.limit(job()).value_or(longest_span); }
  /// Most slots that its job can use at once.
  [[nodiscard]] std::uint32_t width() const { return jobs_.parallelism(job()); }
  /// Estimated, of all its tasks; whole slot-nanoseconds.
  [[nodiscard]] Duration slot_time() const {
    return of([&](auto id) { return jobs_.slot_time(id); });
  }
  /// Of the whole job.
  [[nodiscard]] Duration slot_time_of_job() const { return jobs_.slot_time(job()); }
  /// Estimated work of the job's unfinished tasks, each at its stage's mean; one that runs counts
  /// in full until its end is heard.
  [[nodiscard]] FineWork work_left_of_job() const { return jobs_.work_left(job()); }
  [[nodiscard]] std::uint32_t running_of_user() const { return jobs_.running(user()); }
  [[nodiscard]] std::uint32_t running_of_queue() const { return jobs_.running(queue()); }
  [[nodiscard]] std::uint32_t tasks() const {
    return of([&](auto id) { return jobs_[id].tasks; });
  }
  [[nodiscard]] std::uint32_t running() const {
    return of([&](auto id) { return jobs_.running(id); });
  }
  [[nodiscard]] std::uint32_t runnable() const {
    return of([&](auto id) { return jobs_.runnable(id); });
  }
  [[nodiscard]] std::uint32_t completed() const {
    return tasks() - of([&](auto id) { return jobs_.unfinished(id); });
  }

 private:
  Level level_;
  std::uint32_t index_;
  JobsView jobs_;
};

}  // namespace somnus
