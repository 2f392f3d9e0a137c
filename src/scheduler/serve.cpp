#include "scheduler/serve.hpp"

#include <utility>

namespace somnus {

namespace {

PlacementView view_of(const SchedulerView& picture) { return {picture.jobs, picture.nodes}; }

}  // namespace

Serve::Serve(std::unique_ptr<Order> order, std::unique_ptr<Placement> placement, Managers managers)
    : order_(std::move(order)), placement_(std::move(placement)), managers_(managers) {}

void Serve::job_arrived(Time now, JobId job, const SchedulerView& picture) {
  order_->job_arrived(now, job, picture);
}

void Serve::stage_runnable(Time now, StageId stage, const SchedulerView& picture) {
  order_->stage_runnable(now, stage, picture);
  placement_->stage_runnable(stage, view_of(picture));
}

void Serve::stage_withdrawn(StageId stage, const SchedulerView& picture) {
  order_->stage_withdrawn(stage, picture);
}

void Serve::task_ended(const TaskEnded& end, StageId stage, const SchedulerView& picture) {
  order_->task_ended(end, stage, picture);
  if (managers_ == Managers::see_the_same) placement_->task_ended(end, stage, view_of(picture));
}

void Serve::job_ended(JobId job, const SchedulerView& picture) {
  order_->job_ended(job, picture);
  placement_->job_ended(job);
}

bool Serve::follows_nodes() const { return placement_->follows_nodes(); }

void Serve::node_changed(NodeId node, const SchedulerView& picture) {
  placement_->node_changed(node, view_of(picture));
}

void Serve::node_answered(const NodeAnswered& answer, const SchedulerView& picture) {
  placement_->node_answered(answer, view_of(picture));
}

void Serve::plan(Time now, SchedulerContext& context) {
  const SchedulerView picture = context.scheduler_view();
  order_->round_begins(now, picture);
  Asking asking(context);
  placement_->round_begins(now, asking);
  const PlacementView view = view_of(picture);
  for (;;) {
    const Placement::Bound bound = placement_->bound(view);
    if (!bound.stage.valid()) break;
    if (!bound.reserved && order_->holds_back(bound.stage, picture)) continue;
    const TaskId task = bound.reserved ? context.place_reserved(bound.stage, bound.node)
                                       : context.place(bound.stage, bound.node);
    placement_->bound_launched(bound, view);
    order_->task_launched(task, bound.stage, picture);
  }
  const bool one_view = context.managers_see_the_same();
  while (!one_view || placement_->open(view)) {
    const StageId stage = order_->next(picture);
    if (!stage.valid()) break;
    context.use_view_of(picture.jobs.job_of(stage));
    const bool open = one_view || placement_->open(view);
    const NodeId node = open ? placement_->choose(stage, view) : NodeId();
    if (!node.valid()) {
      order_->set_aside(stage, picture);
      continue;
    }
    order_->task_launched(context.place(stage, node), stage, picture);
  }
  order_->restore(picture);
  placement_->round_ends(asking);
}

}  // namespace somnus
