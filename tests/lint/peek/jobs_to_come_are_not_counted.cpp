// must not compile: 'const class somnus::JobsView' has no member named 'size'
#include "policy/policy.hpp"

std::size_t peek(const somnus::Picture& picture) { return picture.jobs.size(); }
