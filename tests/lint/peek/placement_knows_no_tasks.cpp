// must not compile: 'const class somnus::StagesView' has no member named 'node'
#include "scheduler/policy.hpp"

somnus::NodeId peek(const somnus::PlacementView& view) {
  return view.stages.node(somnus::TaskId(0U));
}
