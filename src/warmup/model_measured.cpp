// MEASURED: what a task takes by what the slot ran last was measured, and the workload lists it for
// each task (src/workload/README.md): `fresh` after a task of another app or none, `first` after
// one of another stage of the app, and `durations`, its nominal time, after one of the same stage.
// This is the rule of Decima's simulator, whose traces have such lists. A stage of another job is
// another stage, whatever the app. Where the workload lists nothing, a task takes its nominal time.
#include "warmup/warmup.hpp"

namespace somnus::model_measured {
namespace {

struct MeasuredWarmup {
  static constexpr LooksAt looks_at = LooksAt::last_stage;
  static constexpr const char* warm_when = "its last task was of the same stage";
  static constexpr auto fields() { return in_order(); }

  Taken operator()(const TaskTimes& times, const Found& found) const {
    if (found.stage) return {.base = times.nominal, .warm = true};
    return {.base = found.app ? times.first : times.fresh};
  }
};

const Registered<WarmupRow> row =
    warmup_model<MeasuredWarmup>("measured",
                                 "the workload lists what each task takes after one of another "
                                 "app, another stage, and the same stage");

}  // namespace
}  // namespace somnus::model_measured
