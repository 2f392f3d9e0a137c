// Slurm's main scheduler and its backfill, as its manual and trials with Slurm 22.05 say they work
// (policies.md 9.4): with whole nodes in reservations, and a coarse look at when what runs will
// end.
//
// Each round begins units in order up to the first that does not fit: the quick pass. Once a cycle,
// if anything has come or ended since the last one, or nodes have changed, all are looked at in
// order: who fits now starts, each other one gets a reservation, which keeps nodes for it alone.
//
// Where a unit fits is asked of levels: the free slots of each node now, and after each group of
// jobs that are believed to end at about one time. They are made once, and again after each start.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "scheduler/backfill.hpp"
#include "scheduler/reservation_news.hpp"

namespace somnus {

/// As in slurm.conf, with its defaults.
struct SlurmRules {
  double bf_interval_s = 30;
  double bf_window_s = 86400;
  double bf_resolution_s = 60;
  std::uint32_t bf_max_job_test = 500;
  double sched_interval_s = 60;
  std::uint32_t default_queue_depth = 100;
  double clock_s = 0;

  static constexpr auto fields() {
    using R = SlurmRules;
    constexpr Range of_time{.low = 0.001, .high = 1e7};
    constexpr Range of_jobs{.low = 1, .high = 1e6};
    return in_order(
        field("bf_interval_s", &R::bf_interval_s, "s", "from one backfill cycle to the next",
              of_time),
        field("bf_window_s", &R::bf_window_s, "s",
              "a job that would start later than that gets no reservation", of_time),
        field("bf_resolution_s", &R::bf_resolution_s, "s",
              "reservations begin and end at multiples of it", of_time),
        field("bf_max_job_test", &R::bf_max_job_test, "1",
              "a cycle looks at so many jobs at the most", of_jobs),
        field("sched_interval_s", &R::sched_interval_s, "s",
              "where a quick pass could not look at all: they are looked at at its next multiple",
              of_time),
        field("default_queue_depth", &R::default_queue_depth, "1",
              "a quick pass looks at so many jobs at the most", of_jobs),
        field("clock_s", &R::clock_s, "s",
              "what Slurm's clock shows past a half minute when the run begins",
              Range{.low = 0, .high = 30}));
  }
};

class SlurmBackfill final : public Backfill {
 public:
  explicit SlurmBackfill(const SlurmRules& rules);

  void round_begins(Time now, const SchedulerView& view) override;
  [[nodiscard]] bool may_start(StageId stage, const SchedulerView& view) override;
  [[nodiscard]] std::span<const NodeId> nodes() const override { return chosen_; }
  [[nodiscard]] bool has_looked() const override { return !is_cut_off_; }
  [[nodiscard]] bool passes_over(StageId stage, const SchedulerView& view) override;
  void launched(StageId stage, std::uint32_t tasks, const SchedulerView& view) override;
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) override;
  void stage_runnable(StageId stage, const SchedulerView& view) override;
  void stage_withdrawn(StageId stage, const SchedulerView& view) override;
  void round_ends() override;
  [[nodiscard]] std::span<const Reservation> reservations() const override { return news_.news(); }
  [[nodiscard]] Time wakes_at() const override { return std::min(cycle_at_, full_pass_at_); }

 private:
  using Nodes = std::vector<NodeId>;  // a node for each task
  struct Reserved {
    Time from;
    Time to;
    std::vector<bool> nodes;
  };
  /// What is free on each node at that time, or from then on if nothing else starts.
  struct Level {
    Time time;
    std::vector<std::uint32_t> free;
  };
  struct Start {
    Time time;
    Nodes nodes;  // empty: there is none
  };

  /// Something has happened then that a cycle is to look at.
  void look_at(Time time);
  /// The first time after that one which is a multiple of the interval.
  [[nodiscard]] static Time next_multiple(Time time, Duration interval);
  /// Down to a multiple, as the clock shows it.
  [[nodiscard]] Time rounded_down(Time time, Duration multiple) const;
  /// What the level has free for the stage's tasks: if it is exclusive, of idle nodes alone.
  [[nodiscard]] const std::vector<std::uint32_t>& free_at(std::size_t level, StageId stage,
                                                          const SchedulerView& view);
  /// Level 0 is what is free now. Whether there is such a level.
  [[nodiscard]] bool has_level(std::size_t number, const SchedulerView& view);
  /// On one node, of those that can hold all the one with the least room; else on as few as can be.
  [[nodiscard]] static Nodes fitting(std::uint32_t tasks, const std::vector<std::uint32_t>& free,
                                     const std::vector<bool>& allowed);
  /// On these nodes, whoever has reserved them for later.
  [[nodiscard]] Start earliest(StageId stage, const std::vector<bool>& allowed,
                               const SchedulerView& view);
  [[nodiscard]] Time& end_by_limit(JobId job);
  /// From now on, at the most.
  [[nodiscard]] Duration longest_run(JobId job, const SchedulerView& view);
  [[nodiscard]] bool fits_now(StageId stage, const SchedulerView& view);
  /// Whether it starts now; else it has a reservation, if there is any time for it.
  [[nodiscard]] bool plan(StageId stage, const SchedulerView& view);
  void reserve(StageId stage, const Start& start, Time end);

  Duration interval_;
  Duration window_;
  Duration resolution_;
  Duration full_interval_;
  Duration clock_;
  std::uint32_t most_in_cycle_;
  std::uint32_t most_in_pass_;

  Time now_;
  bool is_due_ = false;  // something has come or ended, or nodes have changed, since the last cycle
  Time due_since_ = never;
  Time cycle_at_ = never;
  Time full_pass_at_ = never;  // a quick pass did not get to the end
  // Of this round:
  bool is_cycle_ = false;
  bool is_full_ = false;     // those that start, up to the first that does not fit, do not count
  bool is_cut_off_ = false;  // as so many have been looked at
  std::uint32_t left_ = 0;   // may be looked at
  Nodes chosen_;

  std::vector<Level> levels_;
  std::vector<std::pair<Time, JobId>> to_end_;  // jobs that still run at the last level; first last
  Duration group_{};                            // how far the ends of the next group are apart
  std::vector<bool> up_;                        // nodes, when the levels were made
  std::unordered_map<JobId, Nodes> running_;    // of each slot that they hold
  std::unordered_map<StageId, Nodes> whole_;    // the same of exclusive stages
  std::vector<std::uint32_t> idle_;             // the last free_at() of these
  std::vector<Time> ends_;                      // by job, of those that have begun: by their limits
  std::uint64_t held_ = 0;                      // slots, by these
  std::uint64_t slots_ = 0;                     // of nodes that are up
  std::vector<Reserved> reserved_;              // in this cycle

  std::unordered_set<StageId> waiting_;
  ReservationNews news_;
};

}  // namespace somnus
