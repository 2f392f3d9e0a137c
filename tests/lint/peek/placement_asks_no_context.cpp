// must not compile: 'class somnus::Asking' has no member named 'scheduler_view'
#include "scheduler/policy.hpp"

somnus::SchedulerView peek(somnus::Asking& asking) { return asking.scheduler_view(); }
