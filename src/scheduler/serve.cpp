#include "scheduler/serve.hpp"

#include <algorithm>
#include <utility>

#include "scheduler/unplanned_backfill.hpp"

namespace somnus {

namespace {

PlacementView placement_view(const SchedulerView& view) { return {view.jobs, view.nodes}; }

}  // namespace

Serve::Serve(std::unique_ptr<Order> order, std::unique_ptr<Placement> placement, Managers managers,
             std::unique_ptr<Backfill> backfill, std::unique_ptr<Preemptor> preemptor)
    : order_(std::move(order)),
      placement_(std::move(placement)),
      managers_(managers),
      backfill_(std::move(backfill)),
      preemptor_(std::move(preemptor)) {
  if (preemptor_ != nullptr && backfill_ == nullptr) {
    backfill_ = std::make_unique<Unplanned>(Unplanned::Next::is_passed_over);
  }
  if (backfill_ != nullptr) order_->name_those_without_room();
}

void Serve::job_arrived(Time now, JobId job, const SchedulerView& view) {
  order_->job_arrived(now, job, view);
}

void Serve::stage_runnable(Time now, StageId stage, const SchedulerView& view) {
  order_->stage_runnable(now, stage, view);
  placement_->stage_runnable(stage, placement_view(view));
  if (backfill_ != nullptr) backfill_->stage_runnable(stage, view);
}

void Serve::stage_withdrawn(StageId stage, const SchedulerView& view) {
  order_->stage_withdrawn(stage, view);
  if (backfill_ != nullptr) backfill_->stage_withdrawn(stage, view);
}

void Serve::task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) {
  order_->task_ended(end, stage, view);
  if (backfill_ != nullptr) backfill_->task_ended(end, stage, view);
  if (preemptor_ != nullptr) preemptor_->task_ended(stage, view);
  if (managers_ == Managers::see_the_same) placement_->task_ended(end, stage, placement_view(view));
}

void Serve::job_ended(JobId job, const SchedulerView& view) {
  order_->job_ended(job, view);
  placement_->job_ended(job);
}

Time Serve::wakes_at() const {
  const Time wish = order_->wakes_at();
  return backfill_ == nullptr ? wish : std::min(wish, backfill_->wakes_at());
}

bool Serve::follows_nodes() const { return placement_->follows_nodes(); }

void Serve::node_changed(NodeId node, const SchedulerView& view) {
  placement_->node_changed(node, placement_view(view));
}

void Serve::node_answered(const NodeAnswered& answer, const SchedulerView& view) {
  placement_->node_answered(answer, placement_view(view));
}

void Serve::plan(Time now, SchedulerContext& context) {
  const SchedulerView& view = context.scheduler_view();
  order_->round_begins(now, view);
  Asking asking(context);
  placement_->round_begins(now, asking);
  const PlacementView for_placement = placement_view(view);
  for (;;) {
    const Placement::Bound bound = placement_->bound(for_placement);
    if (!bound.stage.valid()) break;
    if (!bound.reserved && order_->holds_back(bound.stage, view)) continue;
    const TaskId task = bound.reserved ? context.place_reserved(bound.stage, bound.node)
                                       : context.place(bound.stage, bound.node);
    placement_->bound_launched(bound, for_placement);
    order_->task_launched(task, bound.stage, view);
  }
  if (preemptor_ != nullptr) preemptor_->round_begins();
  // Nothing starts before the next heartbeat, so a reservation from now on would be broken.
  const bool plans = view.nodes.round_is_open() || preemptor_ != nullptr;
  if (backfill_ == nullptr) {
    serve_first_fit(context);
  } else if (plans) {
    serve_by_backfill(now, context);
  }
  order_->restore(view);
  placement_->round_ends(asking);
}

void Serve::serve_first_fit(SchedulerContext& context) {
  const SchedulerView& view = context.scheduler_view();
  const PlacementView for_placement = placement_view(view);
  const bool one_view = context.managers_see_the_same();
  while (!one_view || placement_->open(for_placement)) {
    const StageId stage = order_->next(view);
    if (!stage.valid()) break;
    if (!one_view) context.use_view_of(view.jobs.job_of(stage));
    const bool open = one_view || placement_->open(for_placement);
    if (view.jobs[stage].gang) {
      if (!open || !place_gang(stage, context)) order_->set_aside(stage, view);
      continue;
    }
    const NodeId node = open ? placement_->choose(stage, for_placement) : NodeId();
    if (!node.valid()) {
      order_->set_aside(stage, view);
      continue;
    }
    order_->task_launched(context.place(stage, node), stage, view);
  }
}

void Serve::serve_by_backfill(Time now, SchedulerContext& context) {
  const SchedulerView& view = context.scheduler_view();
  enum class Served { started, passed_over, waited_for };
  bool may_preempt = true;
  const auto serve = [&](StageId stage) {
    const Stage& facts = view.jobs[stage];
    const bool is_whole = !facts.gang || view.jobs.runnable(stage) == facts.tasks;
    if (!is_whole) return Served::passed_over;
    if (backfill_->may_start(stage, view) && place_unit(stage, context)) {
      backfill_->launched(stage, facts.gang ? facts.tasks : 1, view);
      return Served::started;
    }
    const bool waits_for_slots =
        may_preempt && backfill_->has_looked() && makes_room(stage, context);
    may_preempt = backfill_->any_may_preempt();  // else the first that does not start
    const bool is_over = may_preempt && preemptor_->is_over(stage, *order_, view);
    const bool others_may = backfill_->passes_over(stage, view) && !waits_for_slots && !is_over;
    return others_may ? Served::passed_over : Served::waited_for;
  };
  backfill_->round_begins(now, view);
  const Backfill::Candidates candidates = backfill_->candidates();
  const auto serve_all_of = [&](StageId stage) {
    Served served = Served::started;
    while (served == Served::started && view.jobs.runnable(stage) > 0 &&
           !order_->is_closed(stage, view)) {
      served = serve(stage);
    }
    return served;
  };
  const bool asks_all = candidates.all || preemptor_ != nullptr;  // tiers may have changed
  if (asks_all) {
    Served served = Served::started;
    while (served != Served::waited_for && !backfill_->sorts_others()) {
      const StageId stage = order_->next(view);
      if (!stage.valid()) break;
      served = serve(stage);
      if (served == Served::passed_over) order_->set_aside(stage, view);
    }
    if (served != Served::waited_for && backfill_->sorts_others()) {
      for (const StageId stage : sorted_others(view)) {
        if (serve_all_of(stage) == Served::waited_for) break;
      }
    }
  } else if (candidates.only.valid() && !order_->holds_back(candidates.only, view)) {
    serve_all_of(candidates.only);
  }
  backfill_->round_ends();
  for (const Reservation& one : backfill_->reservations()) context.note(one);
}

std::vector<StageId> Serve::sorted_others(const SchedulerView& view) {
  std::vector<StageId> others;
  for (StageId stage = order_->next(view); stage.valid(); stage = order_->next(view)) {
    others.push_back(stage);
    order_->set_aside(stage, view);
  }
  backfill_->sort(others, view);
  return others;
}

bool Serve::place_unit(StageId stage, SchedulerContext& context) {
  const SchedulerView& view = context.scheduler_view();
  if (!placement_->open(placement_view(view))) return false;
  const std::span<const NodeId> planned = backfill_->nodes();
  if (view.jobs[stage].gang) {
    if (planned.empty()) return place_gang(stage, context);
    place_gang(stage, planned, context);
    return true;
  }
  const NodeId node =
      planned.empty() ? placement_->choose(stage, placement_view(view)) : planned.front();
  if (!node.valid()) return false;
  order_->task_launched(context.place(stage, node), stage, view);
  note_launched(stage, view);
  return true;
}

// Not while some of its tasks still run, as another has been lost.
bool Serve::place_gang(StageId stage, SchedulerContext& context) {
  const SchedulerView& view = context.scheduler_view();
  if (view.jobs.runnable(stage) < view.jobs[stage].tasks) return false;
  const std::vector<NodeId> nodes = placement_->choose_for_gang(stage, placement_view(view));
  if (nodes.empty()) return false;
  place_gang(stage, nodes, context);
  return true;
}

void Serve::place_gang(StageId stage, std::span<const NodeId> nodes, SchedulerContext& context) {
  for (const TaskId task : context.place_gang(stage, nodes)) {
    order_->task_launched(task, stage, context.scheduler_view());
  }
  note_launched(stage, context.scheduler_view());
}

void Serve::note_launched(StageId stage, const SchedulerView& view) {
  if (preemptor_ != nullptr && view.jobs[stage].is_one_unit()) preemptor_->launched(stage);
}

bool Serve::makes_room(StageId stage, SchedulerContext& context) {
  return preemptor_ != nullptr && preemptor_->makes_room(stage, *order_, context);
}

}  // namespace somnus
