// must not compile: 'const somnus::NodeTable& somnus::NodeView::books_' is private
#include "policy/policy.hpp"

std::uint32_t peek(const somnus::Picture& picture, somnus::NodeId node) {
  return picture.nodes.books_.placed(node);
}
