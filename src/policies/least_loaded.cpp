#include "policies/least_loaded.hpp"

#include <algorithm>
#include <utility>

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

Ratio<std::int64_t> load(NodeId node, const NodeView& nodes) {
  const std::uint32_t slots = nodes.slots(node);
  return {.over = (slots - nodes.free_slots(node)) + nodes.queued(node), .under = slots};
}

}  // namespace

void LeastLoaded::round_begins(Time now, Asking& asking) {
  if (now < next_sort_) return;
  next_sort_ = now + seconds(rules_.interval_s);
  const NodeView& nodes = asking.view().nodes;
  sorted_.clear();
  for (std::uint32_t at = 0; at < nodes.count(); ++at) sorted_.emplace_back(at);
  std::ranges::stable_sort(sorted_,
                           [&](NodeId a, NodeId b) { return load(a, nodes) < load(b, nodes); });
}

std::vector<NodeId> LeastLoaded::candidates_of(JobId job, const PlacementView& view) {
  std::vector<NodeId> candidates;
  for (const NodeId node : sorted_) {
    if (candidates.size() == rules_.k) break;
    if (view.nodes.usable(node)) candidates.push_back(node);
  }
  if (candidates.empty()) return candidates;
  const auto last = static_cast<std::int64_t>(candidates.size()) - 1;
  const auto drawn = static_cast<std::ptrdiff_t>(streams_.of(job).integer(0, last));
  std::ranges::rotate(candidates, candidates.begin() + drawn);
  return candidates;
}

NodeId LeastLoaded::choose(StageId stage, const PlacementView& view) {
  const JobId job = view.stages.job_of(stage);
  auto found = spreads_.find(job);
  if (found == spreads_.end()) found = spreads_.emplace(job, candidates_of(job, view)).first;
  const auto preferred = view.stages.affinity_of(stage);
  const auto rank = [&](NodeId node) {
    return std::pair(std::ranges::find(preferred, node) == preferred.end(), load(node, view.nodes));
  };
  NodeId least;
  for (const NodeId node : found->second) {
    if (!view.nodes.usable(node)) continue;
    if (!least.valid() || rank(node) < rank(least)) least = node;
  }
  return least;
}

namespace {

const Registered<Part> least_loaded = rows::placement<LeastLoaded>(
    "least-loaded", "spread over the k least loaded nodes of a monitor's list",
    "Mercury; Yaq section 6.3");
const Registered<Preset> mercury = presets_of::distributed(
    "mercury", "least-loaded", "monitor", {},
    "distributed Mercury: each job takes the nodes that a monitor lists first", "Yaq section 6.3");

}  // namespace
}  // namespace somnus
