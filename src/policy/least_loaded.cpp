#include "policy/least_loaded.hpp"

#include <algorithm>
#include <utility>

namespace somnus {

void LeastLoaded::round_begins(Time now, Desk& desk) {
  const NodeTable& nodes = desk.picture().nodes;
  if (now < next_sort_) return;
  next_sort_ = now + seconds(rules_.interval_s);
  sorted_.clear();
  for (std::uint32_t at = 0; at < nodes.count(); ++at) {
    const NodeId node(at);
    const std::uint32_t slots = nodes.slots(node);
    const double tasks = (slots - nodes.free_slots(node)) + nodes.queued(node);
    sorted_.push_back({tasks / slots, node});
  }
  std::ranges::stable_sort(sorted_, {}, &Candidate::load);
}

LeastLoaded::Spread LeastLoaded::begin(JobId job, const Picture& picture) {
  Spread spread;
  for (const Candidate& one : sorted_) {
    if (spread.candidates.size() == rules_.k) break;
    if (picture.nodes.usable(one.node)) spread.candidates.push_back(one);
  }
  if (spread.candidates.empty()) return spread;
  const auto last = static_cast<std::int64_t>(spread.candidates.size()) - 1;
  spread.first = static_cast<std::size_t>(streams_.of(job).integer(0, last));
  return spread;
}

NodeId LeastLoaded::choose(StageId stage, const Picture& picture) {
  const JobId job = picture.jobs.catalogue()[stage].job;
  auto found = spreads_.find(job);
  if (found == spreads_.end()) found = spreads_.emplace(job, begin(job, picture)).first;
  Spread& spread = found->second;
  const Catalogue& catalogue = picture.jobs.catalogue();
  const auto preferred = catalogue.affinity_of(catalogue[stage]);
  const auto rank = [&](const Candidate& one) {
    return std::pair(std::ranges::find(preferred, one.node) == preferred.end(), one.load);
  };
  Candidate* least = nullptr;
  for (std::size_t at = 0; at < spread.candidates.size(); ++at) {
    Candidate& one = spread.candidates[(spread.first + at) % spread.candidates.size()];
    if (!picture.nodes.usable(one.node)) continue;
    if (least == nullptr || rank(one) < rank(*least)) least = &one;
  }
  if (least == nullptr) return {};
  least->load += 1.0 / picture.nodes.slots(least->node);
  return least->node;
}

}  // namespace somnus
