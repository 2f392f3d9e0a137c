#include "packing/packer.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/share_grid.hpp"

namespace somnus {

Alignment::Alignment(std::span<const Wide> capacity) {
  for (const Wide all : capacity) over_.push_back(all > 0 ? 1 / static_cast<double>(all) : 0);
}

void Packer::begin(std::span<const Bundle> bundles, std::span<const Edge> edges) {
  starts_.clear();
  open_.clear();
  progress_.assign(bundles.size(), {});
  first_after_.assign(bundles.size() + 1, 0);
  for (const Edge& edge : edges) {
    ++progress_[edge.after].waits_for;
    ++first_after_[edge.before];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& first : first_after_) first = sum += first;
  after_.resize(edges.size());
  for (const Edge& edge : edges) after_[--first_after_[edge.before]] = edge.after;
  end_ = now_;
  for (std::uint32_t at = 0; at < bundles.size(); ++at) {
    Progress& one = progress_[at];
    one.left = bundles[at].tasks;
    one.ready = bundles[at].ready;
    one.ended = bundles[at].busy_until;
    end_ = std::max(end_, one.ended);
    if (one.waits_for == 0) open_.push_back(at);
  }
  let_follow(0);
}

// Bundles from that place of the open ones on, where they have no tasks left, make way for those
// that wait for them.
void Packer::let_follow(std::size_t from) {
  for (std::size_t at = from; at < open_.size(); ++at) {  // which grow
    const std::uint32_t bundle = open_[at];
    if (progress_[bundle].left > 0) continue;
    for (std::uint32_t edge = first_after_[bundle]; edge < first_after_[bundle + 1]; ++edge) {
      Progress& next = progress_[after_[edge]];
      next.ready = std::max(next.ready, progress_[bundle].ended);
      if (next.left == 0) next.ended = std::max(next.ended, progress_[bundle].ended);
      if (--next.waits_for == 0) open_.push_back(after_[edge]);
    }
  }
  std::erase_if(open_, [&](std::uint32_t at) { return progress_[at].left == 0; });
  std::ranges::sort(open_);
}

void Packer::find_candidates() {
  candidates_.clear();
  for (const std::uint32_t at : open_) {
    if (progress_[at].ready <= now_) candidates_.push_back({.bundle = at});
  }
}

// Leaves out those that have no room any more.
std::optional<Packer::Candidate> Packer::best_candidate(std::span<const Bundle> bundles) {
  std::erase_if(candidates_, [&](const Candidate& one) {
    const Bundle& bundle = bundles[one.bundle];
    return outlook_.room(now_ + bundle.duration, bundle.demand, 1) == 0;
  });
  if (candidates_.empty()) return std::nullopt;
  const Candidate* best = nullptr;
  for (Candidate& one : candidates_) {
    one.alignment = alignment_.of(bundles[one.bundle].demand, outlook_.free());
    if (best == nullptr || share_cell(one.alignment) > share_cell(best->alignment)) best = &one;
  }
  return *best;
}

// How many tasks of the best are certain to be better aligned, one after another, than those of all
// others: each changes alignments by the same amount. Two cells of the grid are left between them,
// for what is nearer is compared anew after each task.
std::uint32_t Packer::lead_of(const Candidate& best, std::span<const Bundle> bundles) {
  constexpr double margin = 2 * share_cell_width;
  const DemandSpan demand = bundles[best.bundle].demand;
  lost_.assign(demand.begin(), demand.end());
  const double own_loss = alignment_.of(demand, lost_);
  std::uint32_t lead = progress_[best.bundle].left;
  for (const Candidate& other : candidates_) {
    if (lead == 1) break;
    const DemandSpan asked = bundles[other.bundle].demand;
    if (other.bundle == best.bundle || std::ranges::equal(asked, demand)) continue;
    const double ahead = best.alignment - other.alignment - margin;
    const double closing = own_loss - alignment_.of(asked, lost_);
    if (ahead < 0) {
      lead = 1;
    } else if (closing > 0 && ahead / closing + 1 < lead) {
      lead = static_cast<std::uint32_t>(ahead / closing) + 1;
    }
  }
  return lead;
}

void Packer::start(Profile& space, std::uint32_t index, const Bundle& bundle, std::uint32_t tasks) {
  Progress& one = progress_[index];
  space.take(now_, now_ + bundle.duration, bundle.demand, tasks);
  outlook_.take(now_ + bundle.duration, bundle.demand, tasks);
  if (!starts_.empty() && starts_.back().bundle == index && starts_.back().begin == now_) {
    starts_.back().tasks += tasks;
  } else {
    starts_.push_back({now_, index, tasks});
  }
  one.left -= tasks;
  one.ended = std::max(one.ended, now_ + bundle.duration);
  end_ = std::max(end_, one.ended);
}

// Starts all that has room now.
void Packer::fill(Profile& space, std::span<const Bundle> bundles) {
  find_candidates();
  outlook_.move_to(space, now_);
  while (const auto best = best_candidate(bundles)) {
    const Bundle& bundle = bundles[best->bundle];
    start(space, best->bundle, bundle,
          outlook_.room(now_ + bundle.duration, bundle.demand, lead_of(*best, bundles)));
    if (progress_[best->bundle].left > 0) continue;
    std::swap(*std::ranges::find(open_, best->bundle), open_.back());
    let_follow(open_.size() - 1);
    find_candidates();
  }
}

std::span<const PackedStart> Packer::pack(Profile& space, std::span<const Bundle> bundles,
                                          std::span<const Edge> edges, Duration from,
                                          Duration until) {
  now_ = from;
  outlook_.begin(space);
  begin(bundles, edges);
  while (!open_.empty() && now_ <= until) {
    fill(space, bundles);
    Duration next = Duration::max();
    for (const std::uint32_t at : open_) {
      if (progress_[at].ready > now_) next = std::min(next, progress_[at].ready);
    }
    const std::size_t step = space.step_at(now_) + 1;
    if (step < space.steps()) next = std::min(next, space.begin(step));
    SOMNUS_CHECK(open_.empty() || next < Duration::max(), "a packer waits for nothing");
    now_ = next;
  }
  return starts_;
}

}  // namespace somnus
