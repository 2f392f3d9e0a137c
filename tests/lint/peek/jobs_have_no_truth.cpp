// must not compile: 'const class somnus::JobsView' has no member named 'truth'
#include "scheduler/policy.hpp"

somnus::Duration peek(const somnus::SchedulerView& view) {
  return view.jobs.truth()[somnus::TaskId(0U)];
}
