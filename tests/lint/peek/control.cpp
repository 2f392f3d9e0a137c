// compiles
// What parts of a scheduler may ask for. If this stops compiling, the refusals beside it prove
// nothing.
#include "queueing/worker_queue.hpp"
#include "scheduler/environment.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/ranking.hpp"

using namespace somnus;

Duration estimated(const SchedulerView& view) { return view.jobs.slot_time(StageId(0U)); }
Time submitted(const SchedulerView& view, JobId job) { return view.jobs[job].submit; }
StageId child(const SchedulerView& view, StageId stage) {
  return view.jobs.children_of(stage).front();
}
std::uint32_t seen(const SchedulerView& view, NodeId node) { return view.nodes.queued(node); }
double weight(const Unit& unit) { return unit.jobs().weight_of_user(unit.job()); }

void learn(const TaskEnded& end, Estimate& last) { last = end.own; }

class AsNumbered final : public StageOrder {
  [[nodiscard]] std::vector<StageId> stages_of(JobId job, JobsView jobs) const override {
    return {jobs[job].first_stage};
  }
};

NodeId preferred(const PlacementView& view, StageId stage) {
  return view.stages.affinity_of(stage).front();
}
void ask(Asking& asking, StageId stage) {
  asking.request(Ask{.node = preferred(asking.view(), stage), .stage = stage});
}

double draw(const Environment& environment, JobId job) {
  return environment.seed.job_manager(job).uniform();
}
Duration wait(const WorkerQueue::Entry& entry) { return entry.estimate; }
std::uint32_t full(NodeView& view, NodeId node) { return view.seen(node).queued; }
