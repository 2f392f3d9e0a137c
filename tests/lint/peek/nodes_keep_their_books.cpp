// must not compile: 'const somnus::NodeTable& somnus::NodeView::books_' is private
#include "scheduler/policy.hpp"

std::uint32_t peek(const somnus::SchedulerView& picture, somnus::NodeId node) {
  return picture.nodes.books_.placed(node);
}
