#include "scheduler/serve.hpp"

#include <utility>

namespace somnus {

namespace {

PlacementView placement_view(const SchedulerView& view) { return {view.jobs, view.nodes}; }

}  // namespace

Serve::Serve(std::unique_ptr<Order> order, std::unique_ptr<Placement> placement, Managers managers)
    : order_(std::move(order)), placement_(std::move(placement)), managers_(managers) {}

void Serve::job_arrived(Time now, JobId job, const SchedulerView& view) {
  order_->job_arrived(now, job, view);
}

void Serve::stage_runnable(Time now, StageId stage, const SchedulerView& view) {
  order_->stage_runnable(now, stage, view);
  placement_->stage_runnable(stage, placement_view(view));
}

void Serve::stage_withdrawn(StageId stage, const SchedulerView& view) {
  order_->stage_withdrawn(stage, view);
}

void Serve::task_ended(const TaskEnded& end, StageId stage, const SchedulerView& view) {
  order_->task_ended(end, stage, view);
  if (managers_ == Managers::see_the_same) placement_->task_ended(end, stage, placement_view(view));
}

void Serve::job_ended(JobId job, const SchedulerView& view) {
  order_->job_ended(job, view);
  placement_->job_ended(job);
}

bool Serve::follows_nodes() const { return placement_->follows_nodes(); }

void Serve::node_changed(NodeId node, const SchedulerView& view) {
  placement_->node_changed(node, placement_view(view));
}

void Serve::node_answered(const NodeAnswered& answer, const SchedulerView& view) {
  placement_->node_answered(answer, placement_view(view));
}

void Serve::plan(Time now, SchedulerContext& context) {
  const SchedulerView view = context.scheduler_view();
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
  order_->restore(view);
  placement_->round_ends(asking);
}

// Not while some of its tasks still run, as another has been lost.
bool Serve::place_gang(StageId stage, SchedulerContext& context) {
  const SchedulerView view = context.scheduler_view();
  if (view.jobs.runnable(stage) < view.jobs[stage].tasks) return false;
  const std::vector<NodeId> nodes = placement_->choose_for_gang(stage, placement_view(view));
  if (nodes.empty()) return false;
  for (const TaskId task : context.place_gang(stage, nodes)) {
    order_->task_launched(task, stage, view);
  }
  return true;
}

}  // namespace somnus
