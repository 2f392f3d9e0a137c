// must not compile: 'const class somnus::JobsView' has no member named 'catalogue'
#include "scheduler/policy.hpp"

// Submit times of jobs that have not arrived.
somnus::Time peek(const somnus::SchedulerView& view) {
  return view.jobs.catalogue().jobs.back().submit;
}
