// What parts of a scheduler may ask for, and what they must not see, as a task's true duration.
// Each case is compiled alone, after what stands before the first (compile_test.py).
#include "model/workload.hpp"
#include "queueing/worker_queue.hpp"
#include "scheduler/environment.hpp"
#include "scheduler/feedback.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/ranking.hpp"

using namespace somnus;

// control: compiles
// If this stops compiling, the refusals below prove nothing.
Duration estimated(const SchedulerView& view) { return view.jobs.slot_time(StageId(0U)); }
Time submitted(const SchedulerView& picture, JobId job) { return picture.jobs[job].submit; }
StageId child(const SchedulerView& picture, StageId stage) {
  return picture.jobs.children_of(stage).front();
}
std::uint32_t seen(const SchedulerView& picture, NodeId node) { return picture.nodes.queued(node); }
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

// estimate_takes_no_truth: must not compile: cannot convert 'somnus::TrueDuration' to 'double'
Estimate peek(TrueDuration truth) { return Estimate{truth}; }

// event_carries_no_truth: must not compile: cannot convert 'somnus::TrueDuration' to 'double'
Event leak(TrueDuration truth) { return StageEstimated{StageId(0U), Estimate{truth}}; }

// feedback_has_no_books: must not compile: 'class somnus::NodeView' has no member named 'books'
std::uint32_t peek(NodeView& view, NodeId node) { return view.books().placed(node); }

// jobs_have_no_truth: must not compile: 'const class somnus::JobsView' has no member named 'truth'
Duration peek(const SchedulerView& picture) { return picture.jobs.truth()[TaskId(0U)]; }

// jobs_to_come_are_not_counted: must not compile: 'const class somnus::JobsView' has no member
// named 'size'
std::size_t peek(const SchedulerView& picture) { return picture.jobs.size(); }

// jobs_to_come_are_not_there: must not compile: 'const class somnus::JobsView' has no member named
// 'catalogue'
Time peek(const SchedulerView& picture) { return picture.jobs.catalogue().jobs.back().submit; }

// no_view_is_a_table: must not compile: invalid 'static_cast' from type 'const somnus::JobsView' to
// type 'const somnus::JobTable&'
const JobTable& peek(const SchedulerView& picture) {
  return static_cast<const JobTable&>(picture.jobs);
}

// nodes_have_no_books: must not compile: 'const class somnus::NodeView' has no member named 'books'
std::uint32_t peek(const SchedulerView& picture, NodeId node) {
  return picture.nodes.books().placed(node);
}

// nodes_keep_their_books: must not compile: 'const somnus::NodeTable& somnus::NodeView::books_' is
// private
std::uint32_t peek(const SchedulerView& picture, NodeId node) {
  return picture.nodes.books_.placed(node);
}

// placement_asks_no_context: must not compile: 'class somnus::Asking' has no member named
// 'scheduler_view'
SchedulerView peek(Asking& asking) { return asking.scheduler_view(); }

// placement_knows_no_tasks: must not compile: 'const class somnus::StagesView' has no member named
// 'node'
NodeId peek(const PlacementView& view) { return view.stages.node(TaskId(0U)); }

// placement_sees_no_other_jobs: must not compile: 'const struct somnus::PlacementView' has no
// member named 'jobs'
NodeId peek(const PlacementView& view) { return view.jobs.node(TaskId(0U)); }

// queue_sees_no_truth: must not compile: 'const struct somnus::WorkerQueue::Entry' has no member
// named 'times'
Duration peek(const WorkerQueue::Entry& entry) { return entry.times.nominal; }

// seed_is_not_told: must not compile: no matching function for call to
// 'somnus::RandomStream::RandomStream\(const somnus::PolicySeed&, const char \[15\]\)'|could not
// convert|cannot convert 'const somnus::PolicySeed'
double peek(const Environment& environment) {
  return RandomStream(environment.seed, "node lifetimes").uniform();
}

// tables_are_the_engines: must not compile: 'const somnus::JobTable\* somnus::JobsView::table_' is
// private
const Catalogue& peek(const SchedulerView& picture) { return picture.jobs.table_->catalogue(); }

// truth_is_no_estimate: must not compile: could not convert 'truth' from 'somnus::TrueDuration' to
// 'somnus::Estimate'
void believe(Estimate estimate);
void peek(TrueDuration truth) { believe(truth); }

// units_have_no_catalogue: must not compile: 'class somnus::JobsView' has no member named
// 'catalogue'
Time peek(const Unit& unit) { return unit.jobs().catalogue().jobs.back().submit; }

// users_to_come_are_not_there: must not compile: no match for 'operator\[\]'
double peek(const SchedulerView& picture) { return picture.jobs[UserId(0U)].weight; }

// within_sees_its_job_only: must not compile: 'class somnus::JobsView' has no member named
// 'catalogue'
class Peeking final : public StageOrder {
  [[nodiscard]] std::vector<StageId> stages_of(JobId, JobsView jobs) const override {
    return std::vector<StageId>(jobs.catalogue().jobs.size());
  }
};
