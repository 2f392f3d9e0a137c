// ALL THAT FITS: a whole policy. Each stage, in the order in which they became runnable, starts as
// many tasks as nodes have room for.
#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus::all_that_fits {
namespace {

struct AllThatFitsRules {
  static constexpr auto fields() { return in_order(); }
  [[nodiscard]] static PolicyTraits traits() { return {}; }
};

class AllThatFits final : public Policy {
 public:
  using Rules = AllThatFitsRules;
  AllThatFits(const Rules& /*rules*/, const Environment& /*environment*/) {}

  void job_arrived(Time, JobId, const SchedulerView&) override {}
  void stage_runnable(Time, StageId, const SchedulerView&) override {}
  void stage_withdrawn(StageId, const SchedulerView&) override {}
  void task_ended(const TaskEnded&, StageId, const SchedulerView&) override {}
  void job_ended(JobId, const SchedulerView&) override {}

  void plan(Time, SchedulerContext& context) override {
    const SchedulerView view = context.scheduler_view();
    for (StageId stage = view.jobs.first_runnable(); stage.valid();) {
      const StageId next = view.jobs.next_runnable(stage);
      while (view.jobs.runnable(stage) > 0) {
        const NodeId node = view.nodes.first_with_room(view.jobs.demand(stage));
        if (!node.valid()) break;
        context.place(stage, node);
      }
      stage = next;
    }
  }
};

const Registered<Part> policy =
    rows::policy<AllThatFits>("all-that-fits", "each stage starts what fits", "a recipe");
const Registered<Preset> preset = presets_of::whole_policy(
    "all-that-fits", "all-that-fits", "each stage starts what fits", "a recipe");

}  // namespace
}  // namespace somnus::all_that_fits
