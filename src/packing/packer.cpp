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

bool Packer::start_best(Profile& space, std::size_t step, std::span<const Bundle> bundles) {
  constexpr std::size_t none = ~std::size_t{0};
  std::size_t best = none;
  std::uint32_t others = 0;  // that fit
  std::uint32_t room = 0;
  std::int64_t best_cell = 0;
  for (std::size_t kind = 0; kind < space.kinds(); ++kind) {
    free_[kind] = static_cast<double>(space.pool(kind) - space.taken(step, kind));
  }
  for (std::size_t at = 0; at < open_.size(); ++at) {
    const Bundle& bundle = bundles[open_[at]];
    const Progress& one = progress_[open_[at]];
    if (one.ready > now_) continue;
    const std::uint32_t fit = space.room(step, now_ + bundle.duration, bundle.demand, one.left);
    if (fit == 0) continue;
    const std::int64_t cell = share_cell(alignment_.of(bundle.demand, free_));
    if (best == none || cell > best_cell) {
      others += best == none ? 0 : 1;
      best = at;
      best_cell = cell;
      room = fit;
    } else {
      ++others;
    }
  }
  if (best == none) return false;
  const std::uint32_t index = open_[best];
  const Bundle& bundle = bundles[index];
  Progress& one = progress_[index];
  const std::uint32_t tasks = others == 0 ? room : 1;  // another may be better aligned after one
  space.take(now_, now_ + bundle.duration, bundle.demand, tasks);
  if (!starts_.empty() && starts_.back().bundle == index && starts_.back().begin == now_) {
    starts_.back().tasks += tasks;
  } else {
    starts_.push_back({now_, index, tasks});
  }
  one.left -= tasks;
  one.ended = std::max(one.ended, now_ + bundle.duration);
  end_ = std::max(end_, one.ended);
  if (one.left == 0) {
    std::swap(open_[best], open_.back());
    let_follow(open_.size() - 1);
  }
  return true;
}

std::span<const PackedStart> Packer::pack(Profile& space, std::span<const Bundle> bundles,
                                          std::span<const Edge> edges, Duration from,
                                          Duration until) {
  now_ = from;
  free_.resize(space.kinds());
  begin(bundles, edges);
  while (!open_.empty() && now_ <= until) {
    while (start_best(space, space.step_at(now_), bundles)) {
    }
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
