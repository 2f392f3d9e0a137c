// must not compile: invalid 'static_cast' from type 'const somnus::JobsView' to type 'const
// somnus::JobTable&'
#include "policy/policy.hpp"

const somnus::JobTable& peek(const somnus::Picture& picture) {
  return static_cast<const somnus::JobTable&>(picture.jobs);
}
