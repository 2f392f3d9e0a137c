// must not compile: 'const class somnus::NodeView' has no member named 'books'
#include "scheduler/policy.hpp"

// The truth beside what a manager knows.
std::uint32_t peek(const somnus::SchedulerView& view, somnus::NodeId node) {
  return view.nodes.books().placed(node);
}
