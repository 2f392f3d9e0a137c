#include "scheduler/node_accounting.hpp"

#include <algorithm>
#include <numeric>

#include "scheduler/rows.hpp"

namespace somnus {

void NodeAccounting::begin(NodeView& view) {
  if (view.queue()) on_way_.resize(view.count());
}

void NodeAccounting::placed(JobId, NodeId node, Duration estimate, NodeView& view) {
  if (!view.queue()) return view.see_free_slots(node, view.free_slots(node) - 1);
  NodeView::Seen seen = view.seen(node);
  seen.free_slots > 0 ? --seen.free_slots : ++seen.queued;
  add_to_queue(node, estimate, seen);
  view.see(node, seen);
}

void NodeAccounting::add_to_queue(NodeId node, Duration estimate, NodeView::Seen& seen) {
  seen.ahead = capped_sum(seen.ahead, estimate);
  on_way_[node.index()].push_back(estimate);
}

void NodeAccounting::ended(NodeId node, NodeView& view) {
  if (!view.queue()) return view.see_free_slots(node, view.free_slots(node) + 1);
  NodeView::Seen seen = view.seen(node);
  seen.queued > 0 ? --seen.queued : ++seen.free_slots;
  view.see(node, seen);
}

void NodeAccounting::all_taken(NodeId node, bool taken, NodeView& view) {
  NodeView::Seen seen = view.seen(node);
  seen.free_slots = taken ? 0 : view.slots(node);
  view.see(node, seen);
}

void NodeAccounting::reported(const NodeOffered& report, NodeView& view) {
  if (!view.queue()) return;
  NodeView::Seen seen = view.seen(report.node);
  const std::uint32_t placed = view.slots(report.node) - seen.free_slots + seen.queued;
  const std::uint32_t known = std::min(placed, report.running + report.queued);
  std::vector<Duration>& on_way = on_way_[report.node.index()];
  const std::size_t unknown = std::min<std::size_t>(on_way.size(), placed - known);
  on_way.erase(on_way.begin(), on_way.end() - static_cast<std::ptrdiff_t>(unknown));
  seen.ahead = std::accumulate(
      on_way.begin(), on_way.end(),
      capped_product(seconds(report.wait.seconds), view.slots(report.node)), capped_sum);
  view.see(report.node, seen);
}

void NodeAccounting::returned(NodeId node, NodeView& view) {
  NodeView::Seen seen = view.seen(node);
  seen.ahead = {};
  view.see(node, seen);
}

void AtHeartbeat::begin(NodeView& view) {
  NodeAccounting::begin(view);
  for (std::uint32_t node = 0; node < view.count(); ++node) view.allow(NodeId(node), false);
}

void AtHeartbeat::reported(const NodeOffered& report, NodeView& view) {
  NodeAccounting::reported(report, view);
  view.allow(report.node, true);
  offered_.push_back(report.node);
}

void AtHeartbeat::round_ends(NodeView& view) {
  for (const NodeId node : offered_) view.allow(node, false);
  offered_.clear();
}

void AtAnyHeartbeat::begin(NodeView& view) {
  NodeAccounting::begin(view);
  view.open_round(false);
}

void AtAnyHeartbeat::reported(const NodeOffered& report, NodeView& view) {
  NodeAccounting::reported(report, view);
  view.open_round(true);
}

namespace {

const Registered<Part> at_once =
    rows::feedback<AtOnce>("at-once", "the scheduler learns of each end at once", "Spark");
const Registered<Part> at_heartbeat = rows::feedback<AtHeartbeat>(
    "heartbeat", "nodes report, and may be used, at their heartbeats only", "YARN; Yaq section 2");
const Registered<Part> at_any_heartbeat = rows::feedback<AtAnyHeartbeat>(
    "any-heartbeat", "nodes report at their heartbeats; at each of these all nodes may be used",
    "Yaq section 3.2");

}  // namespace
}  // namespace somnus
