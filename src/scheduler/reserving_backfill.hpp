// Reservations: when those that wait will start at the latest, if no job runs for longer than its
// limit (policies.md 9.3). EASY and conservative backfilling are this with other rules.
//
// A profile says how many slots are free when: what runs holds its slots until its job's limit, a
// reservation from its start for as long as its job may run. What runs for longer is believed to
// end at once: whoever waits for nothing else has its reservation from now on, and starts when the
// slots are really there. If by then the time of some reservation has gone by, all are made anew.
//
// Reservations that are kept are as early as they can be when a round ends, but for what moved
// behind them. So in the next round only those can move that would run at a time when slots came
// back since, which openings (packing/openings.hpp) tell, and those of a job that has begun since,
// which now end with it, or that has to begin again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "packing/openings.hpp"
#include "packing/slot_profile.hpp"
#include "scheduler/backfill.hpp"
#include "scheduler/reservation_news.hpp"

namespace somnus {

struct ReservationRules {
  static constexpr std::uint32_t each = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t most = each;  // that many of those that wait have one, in order
  bool kept = true;           // and keep it, or have an earlier one; else each round makes all anew
  bool shortest_first = false;  // those that get none are tried by their limits, not in order
};

/// From the first to the last of some times; empty at first.
struct TimeSpan {
  Time begin = never;
  Time end = Time::min();
  [[nodiscard]] bool empty() const { return begin >= end; }
  void add(Time from, Time to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  }
};

class ReservingBackfill final : public Backfill {
 public:
  explicit ReservingBackfill(ReservationRules rules) : rules_(rules) {}

  void round_begins(Time now, const SchedulerView& view) override;
  [[nodiscard]] Candidates candidates() const override;
  [[nodiscard]] bool may_start(StageId stage, const SchedulerView& view) override;
  [[nodiscard]] bool passes_over(StageId stage, const SchedulerView& view) override;
  [[nodiscard]] bool sorts_others() const override {
    return rules_.shortest_first && made_ >= rules_.most;
  }
  void sort(std::vector<StageId>& stages, const SchedulerView& view) const override;
  void launched(StageId stage, std::uint32_t tasks, const SchedulerView& view) override;
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) override;
  void stage_runnable(StageId stage, const SchedulerView&) override { unplanned_.insert(stage); }
  void stage_withdrawn(StageId stage, const SchedulerView& view) override;
  void round_ends() override;
  [[nodiscard]] std::span<const Reservation> reservations() const override { return news_.news(); }

 private:
  /// A job of which something runs.
  struct Running {
    Time end;                 // by its limit
    std::uint32_t slots = 0;  // that it holds in the profile
    std::uint32_t ended = 0;  // of these, since the last round
  };
  struct Reserved {
    Time start;
    Time end;
    std::uint32_t slots = 0;  // none: there is no reservation
  };
  [[nodiscard]] Running& running(JobId job);
  /// When it has ended at the latest, if it starts then.
  [[nodiscard]] Time end_from(Time start, StageId stage, const SchedulerView& view);
  /// When there are slots for it up to that end.
  [[nodiscard]] Time earliest(StageId stage, const SchedulerView& view);
  void give_back(const SchedulerView& view);
  void follow_capacity(const SchedulerView& view);
  [[nodiscard]] bool some_are_late() const;
  [[nodiscard]] Time made_anew(StageId stage, const SchedulerView& view);
  /// The first time before that one's own for which it could have a reservation instead; never:
  /// there is none.
  [[nodiscard]] Time earlier_than(const Reserved& made);
  void look_where_slots_came_back();
  void take_instead(const TimeSpan& span);
  void came_back(const TimeSpan& span);
  void reserve(StageId stage, Time start, const SchedulerView& view);
  /// There must be one.
  void release(StageId stage);
  [[nodiscard]] bool has_reservation(StageId stage) const {
    return stage.index() < reserved_.size() && reserved_[stage.index()].slots > 0;
  }
  void drop_all();

  ReservationRules rules_;
  Time now_;
  SlotProfile profile_;
  std::int64_t slots_ = 0;  // of the profile: those free, and those of jobs that run
  std::int64_t held_ = 0;   // by jobs that run
  std::vector<Running> jobs_;
  std::vector<JobId> freeing_;  // jobs of which tasks have ended since the last round

  std::vector<Reserved> reserved_;               // by stage
  std::set<std::pair<Time, StageId>> by_start_;  // the same
  std::unordered_set<StageId> unplanned_;        // have runnable tasks and no reservation
  std::vector<StageId> dropped_;                 // in this round
  std::uint32_t made_ = 0;                       // the same

  TimeSpan freed_;        // when slots came back since reservations were as early as can be
  TimeSpan freed_again_;  // of these, by reservations that moved in this round
  TimeSpan left_;         // by the one that is being asked, which takes another in a moment
  Openings openings_;     // among them, once it has looked in this round
  bool has_looked_ = false;
  std::vector<TimeSpan> unseen_;  // and where slots came back since
  bool asks_all_ = true;          // in this round
  // Than when they were reserved: their jobs have begun since, or have to begin again.
  bool some_have_other_spans_ = false;
  std::size_t to_ask_ = 0;  // reservations when the round began
  std::size_t asked_ = 0;   // of these, those that were asked whether they can move

  ReservationNews news_;
};

}  // namespace somnus
