// must not compile: 'class somnus::NodeView' has no member named 'books'
#include "scheduler/feedback.hpp"

// A feedback makes the view of what it hears, and of nothing else.
std::uint32_t peek(somnus::NodeView& view, somnus::NodeId node) {
  return view.books().placed(node);
}
