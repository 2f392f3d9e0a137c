// must not compile: cannot convert 'somnus::TrueDuration' to 'double'
#include "scheduler/policy.hpp"

somnus::Estimate peek(somnus::TrueDuration truth) { return somnus::Estimate{truth}; }
