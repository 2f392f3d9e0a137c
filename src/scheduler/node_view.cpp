#include "scheduler/node_view.hpp"

namespace somnus {

NodeView::NodeView(const NodeTable& books, std::optional<QueueRules> queue)
    : books_(books),
      queue_(queue),
      slots_alone_count_(!queue && books.kinds() == 0),
      most_wait_(queue ? seconds(queue->max_wait_s) : Duration{}),
      nodes_(books.count()),
      ready_(books.count()),
      ready_and_free_(queue ? books.count() : 0) {
  if (books.kinds() > 0) room_.emplace(books.count(), books.kinds());
  for (std::uint32_t at = 0; at < books.count(); ++at) {
    const NodeId node(at);
    see(node, {.free_slots = books.slots(node)});
  }
}

void NodeView::see(NodeId node, const Seen& now) {
  State& state = nodes_[node.index()];
  state.seen.queued = now.queued;
  state.seen.ahead = now.ahead;
  see_free_slots(node, now.free_slots);
}

void NodeView::see_free_slots(NodeId node, std::uint32_t now) {
  State& state = nodes_[node.index()];
  if (state.up) {
    free_slots_ += now;
    free_slots_ -= state.seen.free_slots;
  }
  state.seen.free_slots = now;
  if (!slots_alone_count_ || followed_ || books_.up(node) != state.up) return update(node);
  set_ready(node, state, state.up && state.allowed && now > 0);
}

void NodeView::allow(NodeId node, bool may_be_used) {
  State& state = nodes_[node.index()];
  if (state.allowed == may_be_used) return;
  state.allowed = may_be_used;
  index(node, state);
}

void NodeView::update(NodeId node) {
  State& state = nodes_[node.index()];
  if (books_.up(node) != state.up) {
    state.up = books_.up(node);
    state.up ? free_slots_ += state.seen.free_slots : free_slots_ -= state.seen.free_slots;
  }
  index(node, state);
}

void NodeView::index(NodeId node, State& state) {
  const bool ready = state.allowed && has_room(state, books_.slots(node));
  set_ready(node, state, ready);
  if (queue_) {
    ready&& state.seen.free_slots > 0 ? ready_and_free_.insert(node.value())
                                      : ready_and_free_.erase(node.value());
  }
  if (room_) ready ? room_->set(node, free(node)) : room_->close(node);
  const bool known = !changes_.empty() && changes_.back() == node;
  if (followed_ && !known) changes_.push_back(node);
}

bool NodeView::has_room(NodeId node) const {
  return books_.up(node) && has_room(nodes_[node.index()], books_.slots(node));
}

bool NodeView::has_room(const State& node, std::uint32_t slots) const {
  if (!node.up) return false;
  if (node.seen.free_slots > 0) return true;
  if (!queue_) return false;
  switch (queue_->bound) {
    case QueueBound::none:
      return true;
    case QueueBound::length:
      return node.seen.queued < queue_->length;
    case QueueBound::delay:
      return Ratio<std::int64_t>{.over = node.seen.ahead.count(), .under = slots} <
             Ratio<std::int64_t>{.over = most_wait_.count(), .under = 1};
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
