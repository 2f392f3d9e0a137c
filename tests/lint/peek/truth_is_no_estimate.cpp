// must not compile: could not convert 'truth' from 'somnus::TrueDuration' to 'somnus::Estimate'
#include "scheduler/policy.hpp"

void use(somnus::Estimate estimated);

void peek(somnus::TrueDuration truth) { use(truth); }
