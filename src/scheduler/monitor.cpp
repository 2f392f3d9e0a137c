#include "scheduler/monitor.hpp"

#include <algorithm>

#include "scheduler/rows.hpp"

namespace somnus {

void Monitor::begin(NodeView& view) {
  reports_.resize(view.count());
  place_.resize(view.count());
  for (std::uint32_t node = 0; node < view.count(); ++node) {
    reported_.push_back(view.seen(NodeId(node)));
  }
}

NodeView::Seen Monitor::with(const Own& own) const {
  NodeView::Seen seen = reported_[own.node.index()];
  const std::uint32_t started = std::min(seen.free_slots, own.tasks);
  seen.free_slots -= started;
  seen.queued += own.tasks - started;
  seen.ahead = capped_sum(seen.ahead, own.work);
  return seen;
}

Monitor::Own& Monitor::own_of_shown(NodeId node) {
  std::uint32_t& place = place_[node.index()];
  if (place == 0) {
    own_.push_back({.node = node});
    place = static_cast<std::uint32_t>(own_.size());
  }
  Own& own = own_[place - 1];
  if (own.tasks == 0 || is_outdated(own)) own = {.node = node, .report = reports_[node.index()]};
  return own;
}

void Monitor::placed(JobId manager, NodeId node, Duration estimate, NodeView& view) {
  use_view_of(manager, view);
  Own& own = own_of_shown(node);
  ++own.tasks;
  own.work = capped_sum(own.work, estimate);
  view.see(node, with(own));
}

void Monitor::reported(const NodeOffered& report, NodeView& view) {
  const std::uint32_t slots = view.slots(report.node);
  const std::uint32_t tasks = report.running + report.queued;
  reported_[report.node.index()] = {.free_slots = slots - std::min(slots, tasks),
                                    .queued = report.queued,
                                    .ahead = capped_product(seconds(report.wait.seconds), slots)};
  ++reports_[report.node.index()];
  view.see(report.node, reported_[report.node.index()]);
}

void Monitor::returned(NodeId node, NodeView& view) {
  reported_[node.index()] = {.free_slots = view.slots(node)};
  ++reports_[node.index()];
  view.see(node, reported_[node.index()]);
}

void Monitor::use_view_of(JobId manager, NodeView& view) {
  if (manager == shown_) return;
  for (const Own& own : own_) {
    view.see(own.node, reported_[own.node.index()]);
    place_[own.node.index()] = 0;
  }
  std::erase_if(own_, [&](const Own& own) { return is_outdated(own); });
  if (!own_.empty()) put_aside_[shown_] = std::move(own_);
  own_.clear();
  shown_ = manager;
  const auto found = put_aside_.find(manager);
  if (found == put_aside_.end()) return;
  for (const Own& own : found->second) {
    if (is_outdated(own)) continue;
    own_.push_back(own);
    place_[own.node.index()] = static_cast<std::uint32_t>(own_.size());
    view.see(own.node, with(own));
  }
  put_aside_.erase(found);
}

namespace {

const Registered<Part> monitor = rows::feedback<Monitor>(
    "monitor", "each job's manager sees what nodes last reported, not what other managers do",
    "Yaq section 2.5");

}  // namespace
}  // namespace somnus
