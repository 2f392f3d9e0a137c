// Reservations of nodes, where resources count or some gangs have their nodes for themselves: EASY
// and conservative backfilling by the rules of reserving_backfill.hpp (policies.md 9.3), but a
// reservation is of as many places on certain nodes as the unit has tasks, since what is free on
// several nodes together may fit on none.
//
// A calendar of nodes has what runs, up to its job's limit, and all other reservations. A unit
// starts where that has room for it from now on, and the nodes really have.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scheduler/backfill.hpp"
#include "scheduler/node_calendar.hpp"
#include "scheduler/reservation_news.hpp"
#include "scheduler/reserving_backfill.hpp"

namespace somnus {

/// In a round only those reservations are asked that could begin earlier, where something came
/// back. For each, O(log h) where all nodes together have not enough, else O(h log h), h all that
/// nodes hold.
class NodeReservingBackfill final : public Backfill {
 public:
  explicit NodeReservingBackfill(ReservationRules rules) : rules_(rules) {}

  void round_begins(Time now, const SchedulerView& view) override;
  [[nodiscard]] bool may_start(StageId stage, const SchedulerView& view) override;
  [[nodiscard]] std::span<const NodeId> nodes() const override { return chosen_; }
  [[nodiscard]] bool passes_over(StageId stage, const SchedulerView& view) override;
  [[nodiscard]] bool sorts_others() const override {
    return rules_.shortest_first && made_ >= rules_.most;
  }
  void sort(std::vector<StageId>& stages, const SchedulerView& view) const override;
  void launched(StageId stage, std::uint32_t tasks, const SchedulerView& view) override;
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) override;
  void stage_runnable(StageId, const SchedulerView&) override {}
  void stage_withdrawn(StageId stage, const SchedulerView& view) override;
  void round_ends() override;
  [[nodiscard]] std::span<const Reservation> reservations() const override { return news_.news(); }

 private:
  using Nodes = std::vector<NodeId>;  // one for each task
  /// A job of which something runs.
  struct Running {
    Time end;  // by its limit
    std::uint32_t tasks = 0;
  };
  struct Reserved {
    Time start;
    Time end;
    Need need;
    Nodes nodes;
  };
  void follow_nodes(const SchedulerView& view);
  [[nodiscard]] Need need_of(StageId stage, const SchedulerView& view) const;
  /// Enters or takes out what tasks on these nodes hold.
  void add(const Nodes& nodes, Time from, Time to, const Need& need);
  void remove(const Nodes& nodes, Time from, Time to, const Need& need);
  /// As calendar_ has it: those that the stage prefers, then all. Empty: not all tasks find room.
  [[nodiscard]] Nodes nodes_at(Time start, StageId stage, const SchedulerView& view) const;
  /// Of a unit whose own reservation has been taken out: also where there really is room.
  [[nodiscard]] bool starts_now(StageId stage, const SchedulerView& view);
  void reserve(StageId stage, Time start, const SchedulerView& view);
  void put(StageId stage, Reserved made);
  /// Its reservation, if it has one, taken out.
  [[nodiscard]] std::optional<Reserved> take(StageId stage);
  void drop_all();

  ReservationRules rules_;
  Time now_;
  NodeCalendar calendar_;
  std::unordered_map<JobId, Running> jobs_;
  std::set<std::pair<Time, JobId>> by_end_;         // those that run
  std::unordered_map<StageId, Nodes> whole_nodes_;  // of exclusive stages that run
  std::unordered_map<StageId, Reserved> reserved_;
  std::set<std::pair<Time, StageId>> by_start_;  // the same
  std::vector<StageId> dropped_;                 // in this round
  Nodes chosen_;
  std::uint32_t made_ = 0;  // in this round
  std::size_t to_ask_ = 0;  // reservations when the round began
  std::size_t asked_ = 0;   // of these, those that were asked whether they can move
  TimeSpan freed_;          // when something came back since reservations were as early as can be
  TimeSpan freed_again_;    // of these, by reservations that moved in this round
  ReservationNews news_;
};

}  // namespace somnus
