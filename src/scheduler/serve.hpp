// The composition that most schedulers are: take the next task of the order, find it a node,
// until nothing more fits.
#pragma once

#include <memory>
#include <vector>

#include "scheduler/backfill.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/preemptor.hpp"

namespace somnus {

class Serve final : public Policy {
 public:
  enum class Managers { see_the_same, see_their_own };
  /// Where managers see their own, the placement gets no ends, from which it would learn of others'
  /// tasks.
  /// backfill: none: others start before what does not fit (first-fit).
  /// preemptor: none: who runs, runs to its end.
  Serve(std::unique_ptr<Order> order, std::unique_ptr<Placement> placement,
        Managers managers = Managers::see_the_same, std::unique_ptr<Backfill> backfill = nullptr,
        std::unique_ptr<Preemptor> preemptor = nullptr);
  void job_arrived(Time now, JobId job, const SchedulerView& view) override;
  void stage_runnable(Time now, StageId stage, const SchedulerView& view) override;
  void stage_withdrawn(StageId stage, const SchedulerView& view) override;
  void task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) override;
  void job_ended(JobId job, const SchedulerView& view) override;
  [[nodiscard]] bool follows_nodes() const override;
  void node_changed(NodeId node, const SchedulerView& view) override;
  void node_answered(const NodeAnswered& answer, const SchedulerView& view) override;
  void plan(Time now, SchedulerContext& context) override;
  void blame(const std::string& deed) const override { order_->blame(deed); }
  [[nodiscard]] Time wakes_at() const override;
  [[nodiscard]] std::span<const Promise> promises() const override { return order_->promises(); }
  [[nodiscard]] std::optional<Target> target_of(JobId job,
                                                const SchedulerView& view) const override {
    return order_->target_of(job, view);
  }

 private:
  void serve_first_fit(SchedulerContext& context);
  void serve_by_backfill(Time now, SchedulerContext& context);
  /// Whether there was room for all of it, which the placement looks for.
  bool place_gang(StageId stage, SchedulerContext& context);
  void place_gang(StageId stage, std::span<const NodeId> nodes, SchedulerContext& context);
  /// Those that the order has not brought yet, as the backfill sorts them; all set aside.
  [[nodiscard]] std::vector<StageId> sorted_others(const SchedulerView& view);
  /// The same of a unit: all of a gang, or a task, where the backfill says.
  bool place_unit(StageId stage, SchedulerContext& context);
  /// It has been launched.
  void note_launched(StageId stage, const SchedulerView& view);
  /// Whether slots are on their way to the unit, for which there is no room.
  bool makes_room(StageId stage, SchedulerContext& context);

  std::unique_ptr<Order> order_;
  std::unique_ptr<Placement> placement_;
  Managers managers_;
  std::unique_ptr<Backfill> backfill_;
  std::unique_ptr<Preemptor> preemptor_;
};

}  // namespace somnus
