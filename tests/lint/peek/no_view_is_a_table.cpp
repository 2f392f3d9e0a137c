// must not compile: invalid 'static_cast' from type 'const somnus::JobsView' to type 'const
// somnus::JobTable&'
#include "scheduler/policy.hpp"

const somnus::JobTable& peek(const somnus::SchedulerView& view) {
  return static_cast<const somnus::JobTable&>(view.jobs);
}
