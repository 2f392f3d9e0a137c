// compiles
// What a policy may ask for. If this stops compiling, the refusals beside it prove nothing.
#include "policy/policy.hpp"

somnus::Duration told(const somnus::Picture& picture) {
  return picture.jobs.slot_time(somnus::StageId(0U));
}

void learn(const somnus::TaskEnded& end, somnus::Estimate& last) { last = end.own; }
