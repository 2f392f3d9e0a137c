// must not compile: 'const class somnus::JobsView' has no member named 'catalogue'
#include "policy/policy.hpp"

// Submit times of jobs that have not arrived.
somnus::Time peek(const somnus::Picture& picture) {
  return picture.jobs.catalogue().jobs.back().submit;
}
