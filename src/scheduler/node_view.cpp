#include "scheduler/node_view.hpp"

namespace somnus {

NodeView::NodeView(const NodeTable& books, std::optional<QueueRules> queue)
    : books_(books),
      queue_(queue),
      most_wait_(queue ? seconds(queue->max_wait_s) : Duration{}),
      seen_(books.count()),
      allowed_(books.count(), true),
      counted_(books.count(), true),
      ready_(books.count()),
      ready_and_free_(queue ? books.count() : 0) {
  if (books.kinds() > 0) room_.emplace(books.count(), books.kinds());
  for (std::uint32_t at = 0; at < books.count(); ++at) {
    const NodeId node(at);
    see(node, {.free_slots = books.slots(node)});
  }
}

void NodeView::see(NodeId node, const Seen& now) {
  Seen& seen = seen_[node.index()];
  if (counted_[node.index()]) {
    free_slots_ += now.free_slots;
    free_slots_ -= seen.free_slots;
  }
  seen = now;
  update(node);
}

void NodeView::allow(NodeId node, bool may_be_used) {
  if (allowed_[node.index()] == may_be_used) return;
  allowed_[node.index()] = may_be_used;
  update(node);
}

void NodeView::update(NodeId node) {
  if (books_.up(node) != counted_[node.index()]) {
    counted_[node.index()] = books_.up(node);
    const std::uint32_t free = seen_[node.index()].free_slots;
    books_.up(node) ? free_slots_ += free : free_slots_ -= free;
  }
  const bool ready = allowed_[node.index()] && has_room(node);
  ready ? ready_.insert(node.value()) : ready_.erase(node.value());
  if (queue_) {
    ready&& free_slots(node) > 0 ? ready_and_free_.insert(node.value())
                                 : ready_and_free_.erase(node.value());
  }
  if (room_) ready ? room_->set(node, free(node)) : room_->close(node);
  const bool known = !changes_.empty() && changes_.back() == node;
  if (followed_ && !known) changes_.push_back(node);
}

bool NodeView::has_room(NodeId node) const {
  if (!books_.up(node)) return false;
  const Seen& seen = seen_[node.index()];
  if (seen.free_slots > 0) return true;
  if (!queue_) return false;
  switch (queue_->bound) {
    case QueueBound::none:
      return true;
    case QueueBound::length:
      return seen.queued < queue_->length;
    case QueueBound::delay:
      return wait(node) < Ratio<std::int64_t>{.over = most_wait_.count(), .under = 1};
  }
  return false;
}

void NodeView::follow_changes() {
  followed_ = true;
  for (std::uint32_t at = 0; at < count(); ++at) changes_.emplace_back(at);
}

std::span<const NodeId> NodeView::take_changes() {
  taken_.clear();
  taken_.swap(changes_);
  return taken_;
}

}  // namespace somnus
