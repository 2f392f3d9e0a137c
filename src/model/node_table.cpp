#include "model/node_table.hpp"

#include <algorithm>
#include <numeric>

namespace somnus {

NodeTable::NodeTable(const Cluster& cluster, Feedback feedback, std::optional<QueueRules> queue)
    : feedback_(feedback),
      queue_(queue),
      vectors_(!cluster.resources.empty()),
      on_way_s_(queue ? cluster.node_count() : 0),
      usable_(cluster.node_count()),
      with_free_slot_(queue ? cluster.node_count() : 0),
      slots_(cluster.slot_count()),
      free_slots_(slots_) {
  nodes_.reserve(cluster.node_count());
  for (const NodeGroup& group : cluster.groups) {
    for (std::uint32_t at = 0; at < group.count; ++at) {
      nodes_.push_back({.free = group.capacity, .slots = group.slots, .free_slots = group.slots});
      update(NodeId(nodes_.size() - 1));
    }
  }
}

void NodeTable::take(NodeId node, const Resources& demand, Duration estimate) {
  NodeState& state = nodes_[node.index()];
  ++placed_;
  if (state.placed++ < state.slots) ++busy_slots_;
  if (vectors_) {
    state.free -= demand;
    allocated_ += demand;
  }
  if (!keeps_books()) return;
  if (state.free_slots > 0) {
    see_free(state, state.free_slots - 1);
  } else {
    ++state.queued;
    state.wait_s += in_seconds(estimate) / state.slots;
  }
  if (queue_) on_way_s_[node.index()].push_back(in_seconds(estimate));
  if (state.free_slots == 0 || queue_) update(node);
}

void NodeTable::give(NodeId node, const Resources& demand) {
  NodeState& state = nodes_[node.index()];
  --placed_;
  if (--state.placed < state.slots) --busy_slots_;
  if (vectors_) {
    state.free += demand;
    allocated_ -= demand;
  }
  if (!keeps_books()) return;
  if (state.queued > 0) {
    --state.queued;
  } else {
    see_free(state, state.free_slots + 1);
  }
  if (state.free_slots == 1 || queue_) update(node);
}

void NodeTable::offer(const NodeOffered& report) {
  NodeState& state = nodes_[report.node.index()];
  if (queue_) see_reported(state, report);
  if (!state.offered) {
    state.offered = true;
    offers_.push_back(report.node);
  }
  update(report.node);
}

void NodeTable::see_free(NodeState& state, std::uint32_t slots) {
  if (state.up) {
    free_slots_ += slots;
    free_slots_ -= state.free_slots;
  }
  state.free_slots = slots;
}

void NodeTable::see_reported(NodeState& state, const NodeOffered& report) {
  if (!keeps_books()) {
    see_free(state, state.slots - std::min(state.slots, report.running + report.queued));
    state.queued = report.queued;
    state.wait_s = report.wait.seconds;
    return;
  }
  const std::uint32_t known = std::min(state.placed, report.running + report.queued);
  std::vector<double>& on_way = on_way_s_[report.node.index()];
  const std::size_t unknown = std::min<std::size_t>(on_way.size(), state.placed - known);
  on_way.erase(on_way.begin(), on_way.end() - static_cast<std::ptrdiff_t>(unknown));
  const double coming_s = std::accumulate(on_way.begin(), on_way.end(), 0.0);
  state.wait_s = state.free_slots > 0 ? 0 : report.wait.seconds + coming_s / state.slots;
}

void NodeTable::withdraw_offers() {
  // update() needs to know that the round is over.
  std::vector<NodeId> offers;
  offers.swap(offers_);
  for (const NodeId node : offers) {
    nodes_[node.index()].offered = false;
    update(node);
  }
  offers.clear();
  offers_.swap(offers);  // keeps its memory
}

void NodeTable::lose(NodeId node) {
  NodeState& state = nodes_[node.index()];
  if (state.up) free_slots_ -= state.free_slots;
  state.up = false;
  update(node);
}

void NodeTable::restore(NodeId node) {
  NodeState& state = nodes_[node.index()];
  if (!keeps_books()) {
    see_free(state, state.slots);
    state.queued = 0;
  }
  state.wait_s = 0;
  if (!state.up) free_slots_ += state.free_slots;
  state.up = true;
  update(node);
}

bool NodeTable::has_room(const NodeState& state) const {
  if (!state.up) return false;
  if (state.free_slots > 0) return true;
  if (!queue_) return false;
  switch (queue_->bound) {
    case QueueBound::none:
      return true;
    case QueueBound::length:
      return state.queued < queue_->length;
    case QueueBound::delay:
      return state.wait_s < queue_->max_wait_s;
  }
  return false;
}

void NodeTable::update(NodeId node) {
  NodeState& state = nodes_[node.index()];
  const bool may_be_used = feedback_ != Feedback::heartbeat || state.offered;
  const bool usable = may_be_used && has_room(state);
  usable ? usable_.insert(node.value()) : usable_.erase(node.value());
  if (!queue_) return;
  usable&& state.free_slots > 0 ? with_free_slot_.insert(node.value())
                                : with_free_slot_.erase(node.value());
}

}  // namespace somnus
