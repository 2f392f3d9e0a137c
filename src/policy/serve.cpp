#include "policy/serve.hpp"

#include <utility>

namespace somnus {

Serve::Serve(std::unique_ptr<Order> order, std::unique_ptr<Placement> placement)
    : order_(std::move(order)), placement_(std::move(placement)) {}

std::unique_ptr<Policy> Serve::clone() const {
  return std::make_unique<Serve>(order_->clone(), placement_->clone());
}

void Serve::job_arrived(Time now, JobId job, const Picture& picture) {
  order_->job_arrived(now, job, picture);
}

void Serve::stage_runnable(Time now, StageId stage, const Picture& picture) {
  order_->stage_runnable(now, stage, picture);
}

void Serve::task_ended(const TaskEnded& end, StageId stage, const Picture& picture) {
  order_->task_ended(end, stage, picture);
}

void Serve::job_ended(JobId job, const Picture& picture) { order_->job_ended(job, picture); }

void Serve::plan(Time, Desk& desk) {
  const Picture picture = desk.picture();
  while (picture.nodes.any_usable()) {
    const StageId stage = order_->next(picture);
    if (!stage.valid()) break;
    const NodeId node = placement_->choose(stage, picture);
    if (!node.valid()) {
      order_->set_aside(stage, picture);
      continue;
    }
    desk.place(stage, node);
    order_->task_launched(stage, picture);
  }
  order_->restore(picture);
}

}  // namespace somnus
