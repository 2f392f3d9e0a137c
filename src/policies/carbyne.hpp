// Carbyne: altruism in time (Grandl et al., OSDI 2016, pseudocode 1; policies.md 6.5, which mends
// it).
//
// Idea. Jobs are DAGs, and few of a job's tasks have to run now for the job to end as early as its
// fair share lets it. So each job starts no more than it must, and what is left over goes to the
// jobs that gain most from it. At each instant:
//
//  1. Shares. A_k of each job by DRF's closed form (quotas.hpp).
//  2. Its own share. A job is promised to end at T_k, when a packing into A_k of all that it
//     has left would end (job_packing.hpp). The promise stands until a share shrinks below what
//     it was made for. Packed backward from T_k, each task has a latest start; runnable tasks
//     whose latest start has come must start. Where no such packing ends in time, those must that
//     a packing forward starts now.
//     With the chance 1 - altruism a job is selfish at this instant: it starts, in its order of
//     stages, all that its share allows.
//  3. Leftover: all that is free then.
//
// leftover =
//   "srtf_then_pack"  the job with the least work left (work_left.hpp) takes what it can use, the
//                     best aligned task first; then the next job
//   "pack_then_srtf"  the best aligned task of all jobs first
//   "guarded"         as srtf_then_pack, but nothing starts that would be in the way of what
//                     running tasks and latest starts need later; so, in one pool, with exact
//                     estimates and all jobs there, every promise is kept
//   "none"            nothing is lent; resources stay free
//
// A loan is not taken back, as no task is preempted; so a promise may be broken (Theorem 3.1 of the
// paper does not hold). "guarded" and "none" wait for latest starts at which nothing else happens.
//
// All shares are of the cluster as one pool; on which node a task starts is the placement's. Times
// are whole nanoseconds, alignments are compared on the grid; ties go to the earlier job, then to
// the stage that is first inside it.
//
// replan = (when a job is packed anew)
//   "share-change"  when shares have changed (section 4 of the paper, 5.2.4). In between a task
//                   that starts leaves the plan where the plan had its stage's earliest, so a
//                   start or an end costs what the plan's length does. Where a latest start was
//                   missed, what is due starts as far as the job's share allows.
//   "each-event"    also when its tasks start, or end before they were expected to
//                   (pseudocode 1): O(waves of tasks x ready stages) each time
// Where loans are guarded neither counts: a plan stands until a share shrinks or a start is missed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/bit_index.hpp"
#include "base/indexed_heap.hpp"
#include "base/random.hpp"
#include "policies/job_packing.hpp"
#include "policies/loans.hpp"
#include "policies/quotas.hpp"
#include "policies/sjf.hpp"
#include "scheduler/ranked.hpp"

namespace somnus {

enum class Leftover : std::uint8_t { srtf_then_pack, pack_then_srtf, guarded, none };
template <>
struct EnumNames<Leftover> {
  static constexpr std::pair<Leftover, const char*> names[] = {
      {Leftover::srtf_then_pack, "srtf_then_pack"},
      {Leftover::pack_then_srtf, "pack_then_srtf"},
      {Leftover::guarded, "guarded"},
      {Leftover::none, "none"}};
};

enum class Replan : std::uint8_t { share_change, each_event };
template <>
struct EnumNames<Replan> {
  static constexpr std::pair<Replan, const char*> names[] = {{Replan::share_change, "share-change"},
                                                             {Replan::each_event, "each-event"}};
};

struct CarbyneRules {
  double altruism = 1;
  Leftover leftover = Leftover::srtf_then_pack;
  Replan replan = Replan::share_change;

  static constexpr auto fields() {
    return in_order(field("altruism", &CarbyneRules::altruism, "1",
                          "chance that a job gives up what it need not have now", probability),
                    field("leftover", &CarbyneRules::leftover, "",
                          "who takes what jobs give up: shortest remaining first, best aligned "
                          "first, only who gives it back in time, nobody"),
                    field("replan", &CarbyneRules::replan, "",
                          "when a job is packed anew: whenever its tasks start or end, or only "
                          "when shares change"));
  }
  [[nodiscard]] OrderTraits traits() const {
    return {.work_conserving = leftover != Leftover::none && leftover != Leftover::guarded,
            .draws = altruism < 1,
            .by_single_tasks = true};
  }
};

class Carbyne final : public Order {
 public:
  using Rules = CarbyneRules;
  Carbyne(const Rules& rules, const Environment& environment);

  void job_arrived(Time now, JobId job, const SchedulerView& view) override;
  void stage_runnable(Time now, StageId stage, const SchedulerView& view) override;
  void stage_withdrawn(StageId stage, const SchedulerView& view) override;
  void task_launched(TaskId task, StageId stage, const SchedulerView& view) override;
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) override;
  void job_ended(JobId job, const SchedulerView& view) override;
  void round_begins(Time now, const SchedulerView& view) override;
  [[nodiscard]] StageId next(const SchedulerView& view) override;
  void set_aside(StageId stage, const SchedulerView& view) override;
  /// Where loans are guarded: unless it is due, for a loan is next()'s to make.
  [[nodiscard]] bool holds_back(StageId stage, const SchedulerView& view) override;
  void restore(const SchedulerView& view) override;
  [[nodiscard]] Time wakes_at() const override;
  [[nodiscard]] std::span<const Promise> promises() const override { return promises_; }
  [[nodiscard]] std::optional<Target> target_of(JobId job,
                                                const SchedulerView& view) const override;

 private:
  struct JobPlan {
    std::vector<RunningTasks> running;
    std::vector<Wide> promised_share;  // empty: nothing has been promised
    Time promised;
    bool changed = true;   // since it was packed
    Time last_ended;       // the last expected end of those tasks that have ended since
    bool in_time = false;  // it can be: `starts` are latest starts
    std::vector<LatestStart> starts;
    Time starts_hold_until;  // where it can't: then a running task is late, and packing differs
    double kept = 0;         // its target, when it was last looked at
  };
  /// Tasks that start before anything is lent.
  struct Due {
    StageId stage;
    std::uint32_t tasks = 0;
    bool within_share = false;  // only as far as the job's share allows
  };

  void look_after(JobId job, const SchedulerView& view);
  void promise(JobId job, JobPlan& plan, const SchedulerView& view);
  void pack(JobId job, JobPlan& plan, const SchedulerView& view);
  void demand_what_is_due(const JobPlan& plan, bool within_share, const SchedulerView& view);
  void demand_all_allowed(JobId job, JobsView jobs);
  void measure_kept(JobId job, JobPlan& plan, std::size_t first_due, JobsView jobs);
  [[nodiscard]] bool missed_a_start(const JobPlan& plan) const {
    return plan.in_time && !plan.starts.empty() && plan.starts.front().at < now_;
  }
  [[nodiscard]] bool guards_loans() const { return rules_.leftover == Leftover::guarded; }
  [[nodiscard]] bool keeps_plans() const {
    return guards_loans() || rules_.replan == Replan::share_change;
  }
  // Where only slots count the placement knows, for nodes may have queues.
  [[nodiscard]] static bool has_room(StageId stage, const SchedulerView& view) {
    return view.jobs.runnable(stage) > 0 &&
           (!view.nodes.has_resources() ||
            view.nodes.first_with_room(view.jobs.demand(stage)).valid());
  }
  // What is free may stay so until something is due.
  [[nodiscard]] bool may_wait() const { return !rules_.traits().work_conserving; }
  [[nodiscard]] StageId next_due(const SchedulerView& view);
  [[nodiscard]] Due* still_due(StageId stage);
  [[nodiscard]] bool must_start(const Due& due, JobsView jobs);
  [[nodiscard]] StageId next_loan(const SchedulerView& view);
  [[nodiscard]] StageId best_aligned(StageId from, StageId (JobsView::*after)(StageId) const,
                                     const SchedulerView& view);
  void count(StageId stage, std::int64_t tasks, JobsView jobs);

  Rules rules_;
  Time now_;
  RandomStream chance_;
  JobPacking packing_;
  mutable Quotas quotas_;  // reckons when it is asked
  bool shares_changed_ = false;
  std::vector<JobPlan> plans_;  // by job
  std::vector<Time> expected_;  // ends of running tasks, by task
  std::map<std::pair<TaskId, std::uint16_t>, Time> expected_of_backups_;  // by attempt
  BitIndex active_{0};                                                    // jobs
  BitIndex attention_{0};         // jobs to be looked after at the next round
  IndexedHeap<Time> next_start_;  // by job: the next latest start that is still to come
  std::vector<Promise> promises_;
  std::vector<Due> due_;
  std::size_t at_due_ = 0;

  Ranked<Sjf> borrowers_;  // by remaining work
  std::vector<StageId> aside_;
  Alignment alignment_;
  std::vector<Wide> held_;    // by all running tasks, by kind
  std::vector<double> free_;  // what they leave
  Loans loans_;
};

}  // namespace somnus
