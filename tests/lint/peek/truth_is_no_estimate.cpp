// must not compile: could not convert 'truth' from 'somnus::TrueDuration' to 'somnus::Estimate'
#include "scheduler/policy.hpp"

void believe(somnus::Estimate told);

void peek(somnus::TrueDuration truth) { believe(truth); }
