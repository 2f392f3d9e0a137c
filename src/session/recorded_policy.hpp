// A policy that decides what a log says that was decided. So a log can be replayed whose scheduler
// is not there, such as a process of somebody else: each decision is audited and takes effect, and
// what follows from it is compared, but nobody is asked whether he would decide so again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "log/in_order.hpp"
#include "log/log.hpp"
#include "scheduler/policy.hpp"

namespace somnus {

class RecordedPolicy final : public Policy {
 public:
  /// All must outlive it, and have been found sound.
  RecordedPolicy(const Log& log, const InOrder<EventRows>& events,
                 const InOrder<DecisionRows>& decisions, const Catalogue& catalogue);

  /// Before the events of the log's round are handled.
  void round_begins(std::uint32_t number);

  void job_arrived(Time, JobId, const SchedulerView&) override {}
  void stage_runnable(Time, StageId, const SchedulerView&) override {}
  void stage_withdrawn(StageId, const SchedulerView&) override {}
  void task_ended(const TaskEnded&, StageId, const SchedulerView&) override {}
  void job_ended(JobId, const SchedulerView&) override {}
  void plan(Time now, SchedulerContext& context) override;
  /// When the log's run was woken next, by whatever.
  [[nodiscard]] Time wakes_at() const override;
  [[nodiscard]] std::span<const Promise> promises() const override { return promises_; }

 private:
  struct Wakening {
    std::uint32_t round = 0;
    Time at;
  };
  /// Decisions of the round, from the first to before `end`.
  void preempt(std::size_t from, std::size_t end, SchedulerContext& context);
  void decide(std::size_t from, std::size_t end, SchedulerContext& context);
  /// Where the decisions are that follow this launch: a gang starts with as many as it has tasks.
  std::size_t launch(const Launch& first, std::size_t from, std::size_t end,
                     SchedulerContext& context);

  const InOrder<DecisionRows>& decisions_;
  const Catalogue& catalogue_;
  WorkDone done_;  // of those that are preempted
  std::vector<Wakening> wakenings_;
  std::size_t next_wakening_ = 0;
  std::size_t next_decision_ = 0;
  std::uint32_t round_ = 0;
  std::vector<Promise> promises_;    // of this round
  std::vector<Preemption> waiting_;  // of stages that start in this very round
};

}  // namespace somnus
