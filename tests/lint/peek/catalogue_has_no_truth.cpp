// must not compile: 'const struct somnus::Catalogue' has no member named 'truth'
#include "policy/policy.hpp"

somnus::Duration peek(const somnus::Picture& picture) {
  return picture.jobs.catalogue().truth[somnus::TaskId(0U)];
}
