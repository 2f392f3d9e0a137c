// first-fit: a whole policy, which decides all. Stages in the order of jobs, each task on the first
// node with room for it, as the preset fifo does; gangs as one.
#include "plugins/plugin.hpp"
#include "scheduler/gang_nodes.hpp"
#include "scheduler/presets.hpp"

namespace {

// What its keys in [scheduler.first-fit] are, and what it can do: of gangs and resources it has to
// say so, or is refused where jobs have them.
struct FirstFitRules {
  static constexpr auto fields() { return somnus::in_order(); }
  [[nodiscard]] static somnus::PolicyTraits traits() {
    return {.order = {}, .placement = {.places_gangs = true, .heeds_demands = true}};
  }
};

class FirstFit final : public somnus::Policy {
 public:
  using Rules = FirstFitRules;
  FirstFit(const Rules& /*rules*/, const somnus::Environment& /*environment*/) {}

  // The views that plan() gets have all of this.
  void job_arrived(somnus::Time, somnus::JobId, const somnus::SchedulerView&) override {}
  void stage_runnable(somnus::Time, somnus::StageId, const somnus::SchedulerView&) override {}
  void stage_withdrawn(somnus::StageId, const somnus::SchedulerView&) override {}
  void task_ended(const somnus::TaskEnded&, somnus::StageId,
                  const somnus::SchedulerView&) override {}
  void job_ended(somnus::JobId, const somnus::SchedulerView&) override {}

  void plan(somnus::Time /*now*/, somnus::SchedulerContext& context) override {
    const somnus::SchedulerView& view = context.scheduler_view();
    somnus::StageId next = view.jobs.first_runnable();
    while (next.valid()) {
      const somnus::StageId stage = next;
      next = view.jobs.next_runnable(stage);  // with its last task a stage leaves the list
      // A gang, or a single task that has its node for itself.
      const bool is_unit = view.jobs[stage].gang || view.jobs[stage].exclusive;
      is_unit ? place_unit(stage, context) : place_tasks(stage, context);
    }
  }

 private:
  static void place_tasks(somnus::StageId stage, somnus::SchedulerContext& context) {
    const somnus::SchedulerView& view = context.scheduler_view();
    while (view.jobs.runnable(stage) > 0) {
      const somnus::NodeId node = view.nodes.first_with_room(view.jobs.demand(stage));
      if (!node.valid()) return;
      context.place(stage, node);
    }
  }
  static void place_unit(somnus::StageId stage, somnus::SchedulerContext& context) {
    const somnus::SchedulerView& view = context.scheduler_view();
    const auto nodes = somnus::nodes_in_turn(stage, {view.jobs, view.nodes});
    if (nodes.empty()) return;
    if (view.jobs[stage].gang) {
      context.place_gang(stage, nodes);
    } else {
      context.place(stage, nodes.front());
    }
  }
};

const somnus::Registered<somnus::Part> policy =
    somnus::rows::policy<FirstFit>("first-fit", "each stage starts what fits", "an example");
const somnus::Registered<somnus::Preset> preset = somnus::presets_of::whole_policy(
    "first-fit", "first-fit", "each stage starts what fits", "an example");

}  // namespace
