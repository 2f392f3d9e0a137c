// must not compile: 'const class somnus::JobsView' has no member named 'size'
#include "scheduler/policy.hpp"

std::size_t peek(const somnus::SchedulerView& view) { return view.jobs.size(); }
