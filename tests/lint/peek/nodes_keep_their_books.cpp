// must not compile: 'const somnus::NodeTable& somnus::NodeView::books_' is private
#include "scheduler/policy.hpp"

std::uint32_t peek(const somnus::SchedulerView& view, somnus::NodeId node) {
  return view.nodes.books_.placed(node);
}
