// must not compile: no match for 'operator\[\]'
#include "policy/policy.hpp"

double peek(const somnus::Picture& picture) { return picture.jobs[somnus::UserId(0U)].weight; }
