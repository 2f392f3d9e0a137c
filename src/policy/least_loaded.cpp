#include "policy/least_loaded.hpp"

#include <algorithm>

namespace somnus {

void LeastLoaded::round_begins(Time now, Desk& desk) {
  const NodeTable& nodes = desk.picture().nodes;
  if (now < next_sort_) return;
  next_sort_ = now + seconds(rules_.interval_s);
  sorted_.clear();
  for (std::uint32_t at = 0; at < nodes.count(); ++at) {
    const NodeId node(at);
    if (!nodes.up(node)) continue;
    const std::uint32_t slots = nodes.slots(node);
    const double tasks = (slots - nodes.free_slots(node)) + nodes.queued(node);
    sorted_.push_back({tasks / slots, node});
  }
  std::ranges::stable_sort(sorted_, {}, &Candidate::load);
}

void LeastLoaded::begin(JobId job, const Picture& picture) {
  manager_ = job;
  candidates_.clear();
  for (const Candidate& one : sorted_) {
    if (candidates_.size() == rules_.k) break;
    if (picture.nodes.usable(one.node)) candidates_.push_back(one);
  }
  if (candidates_.empty()) return;
  const auto last = static_cast<std::int64_t>(candidates_.size()) - 1;
  first_ = static_cast<std::size_t>(streams_.of(job).integer(0, last));
}

NodeId LeastLoaded::choose(StageId stage, const Picture& picture) {
  const JobId job = picture.jobs.catalogue()[stage].job;
  if (job != manager_) begin(job, picture);
  Candidate* least = nullptr;
  for (std::size_t at = 0; at < candidates_.size(); ++at) {
    Candidate& one = candidates_[(first_ + at) % candidates_.size()];
    if (!picture.nodes.usable(one.node)) continue;
    if (least == nullptr || one.load < least->load) least = &one;
  }
  if (least == nullptr) return {};
  least->load += 1.0 / picture.nodes.slots(least->node);
  return least->node;
}

}  // namespace somnus
