// must not compile: 'const class somnus::JobsView' has no member named 'truth'
#include "policy/policy.hpp"

somnus::Duration peek(const somnus::Picture& picture) {
  return picture.jobs.truth()[somnus::TaskId(0U)];
}
