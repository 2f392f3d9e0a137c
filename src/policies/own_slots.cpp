#include "policies/own_slots.hpp"

#include <algorithm>

#include "scheduler/rows.hpp"

namespace somnus {

bool OwnSlots::has_room(NodeId node, StageId stage, const PlacementView& view) const {
  return view.nodes.free_slots(node) > 0 &&
         view.nodes.fits(node, view.stages.demand(stage).amounts);
}

NodeId OwnSlots::left_by(AppId app, StageId stage, const PlacementView& view) const {
  const auto of_app = left_.find(app);
  if (of_app == left_.end()) return {};
  const auto found = std::ranges::find_if(
      of_app->second, [&](const auto& each) { return has_room(each.first, stage, view); });
  return found == of_app->second.end() ? NodeId() : found->first;
}

NodeId OwnSlots::choose(StageId stage, const PlacementView& view) {
  const auto preferred = view.stages.affinity_of(stage);
  const AppId app = view.stages.app_of(stage);
  NodeId node;
  if (std::ranges::none_of(preferred, [&](NodeId each) { return has_room(each, stage, view); })) {
    node = left_by(app, stage, view);
  }
  if (!node.valid()) node = any_.choose(stage, view);
  if (node.valid()) take(app, node);
  return node;
}

void OwnSlots::task_ended(const TaskEnded& end, StageId stage, const PlacementView& view) {
  // Its slot went with its node, or it had none yet.
  const bool had_no_slot = end.outcome == Outcome::returned || end.outcome == Outcome::killed;
  if (end.outcome == Outcome::lost || had_no_slot) return;
  const AppId app = view.stages.app_of(stage);
  leavers_[end.node.index()].push_back(app);
  ++left_[app][end.node];
  if (rules_.keep) ends_.push_back({view.stages.job_of(stage), end.node});
}

Placement::Bound OwnSlots::bound(const PlacementView& view) {
  while (next_end_ < ends_.size()) {
    const Left left = ends_[next_end_++];
    const StageId stage = view.stages.head(left.job);
    if (!stage.valid() || !has_room(left.node, stage, view)) continue;
    const auto preferred = view.stages.affinity_of(stage);
    if (!preferred.empty() && std::ranges::find(preferred, left.node) == preferred.end()) continue;
    return {.stage = stage, .node = left.node, .reserved = false};
  }
  return {};
}

void OwnSlots::bound_launched(const Bound& bound, const PlacementView& view) {
  take(view.stages.app_of(bound.stage), bound.node);
}

void OwnSlots::round_ends(Asking& /*nodes*/) {
  ends_.clear();
  next_end_ = 0;
}

// A node that is lost comes back without JVMs.
void OwnSlots::node_changed(NodeId node, const PlacementView& view) {
  if (view.nodes.up(node)) return;
  const auto offered = ends_.begin() + static_cast<std::ptrdiff_t>(next_end_);
  ends_.erase(
      std::remove_if(offered, ends_.end(), [&](const Left& each) { return each.node == node; }),
      ends_.end());
  while (!leavers_[node.index()].empty()) take(leavers_[node.index()].back(), node);
}

// As the node does: a slot that the app left, or else the one that was left last.
void OwnSlots::take(AppId app, NodeId node) {
  std::vector<AppId>& leavers = leavers_[node.index()];
  if (leavers.empty()) return;
  auto from = std::find(leavers.rbegin(), leavers.rend(), app);
  if (from == leavers.rend()) from = leavers.rbegin();
  const auto of_app = left_.find(*from);
  if (--of_app->second[node] == 0) of_app->second.erase(node);
  if (of_app->second.empty()) left_.erase(of_app);
  leavers.erase(std::next(from).base());
}

namespace {

const Registered<Part> own_slots = rows::placement<OwnSlots>(
    "own-slots", "a slot that the app left, warm; a job keeps slots while it has tasks",
    "PAF section 5.B");

}  // namespace
}  // namespace somnus
