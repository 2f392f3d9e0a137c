// EXECUTOR: each app has a JVM of its own in each slot where a task of it has run, which stays
// beside those of other apps until the node is lost. Its first task waits `start_s` until the JVM
// has started; then classes are loaded and code is interpreted, less with each task: task
// k = 0, 1, ... that the JVM runs takes
//
//     nominal x (1 + (factor - 1) x max(0, 1 - k / decay_tasks))
//
// so task 0 takes `factor` times as long, and those from decay_tasks on their nominal time. A task
// counts from its start on, whatever becomes of it.
#include <cstdint>

#include "warmup/warmup.hpp"

namespace somnus::model_executor {
namespace {

struct ExecutorWarmup {
  double start_s = 0;
  double factor = 1;
  std::uint32_t decay_tasks = 1;

  static constexpr LooksAt looks_at = LooksAt::counts;
  static constexpr const char* warm_when =
      "it has run decay_tasks tasks of the app since its node came up";
  static constexpr auto fields() {
    using M = ExecutorWarmup;
    return in_order(
        field("start_s", &M::start_s, "s",
              "the first task of an app in a slot takes that much longer: a JVM starts",
              not_negative),
        cold_factor(&M::factor),
        field("decay_tasks", &M::decay_tasks, "1",
              "after that many tasks of the app in the slot, each faster than the one before, "
              "nothing is left of the factor",
              Range{.low = 1, .high = 1e9}));
  }

  Taken operator()(const TaskTimes& times, const Found& found) const {
    if (found.ran >= decay_tasks) return {.base = times.nominal, .warm = true};
    const double cold = times.warmup > 0 ? times.warmup : factor;
    const double left = 1 - static_cast<double>(found.ran) / decay_tasks;
    return {.base = times.nominal,
            .factor = 1 + (cold - 1) * left,
            .start = found.ran == 0 ? seconds(start_s) : Duration{}};
  }
};

const Registered<WarmupRow> row =
    warmup_model<ExecutorWarmup>("executor",
                                 "each app has a JVM of its own in each slot that ran a task of "
                                 "it, which starts, then warms up with each task",
                                 {{{"start_s", 0.7}, {"factor", 2}, {"decay_tasks", 1}},
                                  {{"start_s", 0.3}, {"factor", 3}, {"decay_tasks", 4}}});

}  // namespace
}  // namespace somnus::model_executor
