// The resource manager's job queue of Yaq-c (Rasley et al., EuroSys 2016, section 4.1; policies.md
// 4.5), and the starvation rule of Algorithm 3 at the level of jobs.
//
// Which job is next is said by one key, `by`, the least first:
//
//     ejf    earliest job first: arrival                                             [time]
//     srjf   shortest remaining job first: estimated work of its unfinished tasks    [slot-time]
//     lrtf   least remaining tasks first: number of its unfinished tasks             [tasks]
//     sjf    shortest job first: estimated work of all its tasks                     [slot-time]
//
// All but ejf let large jobs wait while small ones keep coming. So a job is starved once
//
//     now - arrival >= min(starvation_s, starvation_relative * estimated mean task)  [s]
//
// for good. Starved jobs go before all others, among them the earlier arrival. The wait is from the
// job's arrival, whether some of its tasks have run or not: what it waits for is its end. At zero
// wait is starved ("longer than" in the paper), so that starvation_s = 0 is ejf from the first
// instant on.
//
// Remaining work counts a running task in full until its end is heard, and each task at the mean of
// its stage, compared on the grid (base/grid.hpp): with identical tasks, srjf and lrtf are the same
// order exactly. A job is starved from the first whole nanosecond on at which the inequality holds.
// The papers' local orders are the worker queues' (reorder); this one is global. Ties go to the
// earlier job.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "scheduler/ranking.hpp"

namespace somnus {

enum class JobsBy { ejf, srjf, lrtf, sjf };
template <>
struct EnumNames<JobsBy> {
  static constexpr std::pair<JobsBy, const char*> names[] = {
      {JobsBy::ejf, "ejf"}, {JobsBy::srjf, "srjf"}, {JobsBy::lrtf, "lrtf"}, {JobsBy::sjf, "sjf"}};
};

struct JobQueue {
  JobsBy by = JobsBy::ejf;
  double starvation_s = infinity;
  double starvation_relative = infinity;

  static constexpr auto fields() {
    return in_order(
        field(
            "by", &JobQueue::by, "",
            "which job first: earliest, least remaining work, fewest unfinished tasks, least work"),
        field("starvation_s", &JobQueue::starvation_s, "s",
              "a job that has been there that long goes before all that have not; inf: never",
              zero_to_infinity),
        field("starvation_relative", &JobQueue::starvation_relative, "1",
              "and one that has been there that many times its estimated mean task",
              zero_to_infinity));
  }

  static constexpr Level level = Level::job;
  using Key = std::pair<bool, Wide>;  // not starved; then tasks, nanoseconds or the grid's cells
  static constexpr KeyMoves moves = KeyMoves::when_tasks_end;

  [[nodiscard]] Time changes_at(const Unit& job) const {
    return starved(job) ? never : time_after(job.arrival(), threshold(job));
  }
  void on(const Changed& event) {
    const Unit& job = event.unit;
    if (job.index() >= starved_.size()) starved_.resize(std::size_t{job.index()} + 1);
    starved_[job.index()] = true;
  }
  [[nodiscard]] Key key(const Unit& job) const {
    if (starved(job)) return {false, nanoseconds(job.arrival().time_since_epoch())};
    return {true, rank(job)};
  }

 private:
  static std::int64_t nanoseconds(Duration span) { return span.count(); }

  [[nodiscard]] Wide rank(const Unit& job) const {
    switch (by) {
      case JobsBy::ejf:
        break;
      case JobsBy::srjf:
        return job.work_left_of_job().on_grid();
      case JobsBy::lrtf:
        return job.tasks() - job.completed();
      case JobsBy::sjf:
        return nanoseconds(job.slot_time());
    }
    return nanoseconds(job.arrival().time_since_epoch());
  }

  // In nanoseconds.
  [[nodiscard]] Quad threshold(const Unit& job) const {
    const Quad whole = Quad{starvation_s} * billion;
    if (starvation_relative == infinity) return whole;  // times 0 it would be NaN
    return std::min(whole, exactly(job.slot_time()) * Quad{starvation_relative} / job.tasks());
  }

  [[nodiscard]] bool starved(const Unit& job) const {
    return job.index() < starved_.size() && starved_[job.index()];
  }

  std::vector<bool> starved_;  // by job
};
static_assert(TimedRanking<JobQueue>);

}  // namespace somnus
