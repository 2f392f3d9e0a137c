// must not compile: 'const struct somnus::PlacementView' has no member named 'jobs'
#include "scheduler/policy.hpp"

// Where the tasks of other managers run.
somnus::NodeId peek(const somnus::PlacementView& view) {
  return view.jobs.node(somnus::TaskId(0U));
}
