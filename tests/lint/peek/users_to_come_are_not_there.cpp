// must not compile: no match for 'operator\[\]'
#include "scheduler/policy.hpp"

double peek(const somnus::SchedulerView& view) { return view.jobs[somnus::UserId(0U)].weight; }
