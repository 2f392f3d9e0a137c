// must not compile: no match for 'operator\[\]'
#include "scheduler/policy.hpp"

double peek(const somnus::SchedulerView& picture) {
  return picture.jobs[somnus::UserId(0U)].weight;
}
