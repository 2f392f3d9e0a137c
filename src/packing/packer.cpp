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
      if (--next.waits_for > 0) continue;
      open_.push_back(after_[edge]);
      followed_at_once_ |= next.ready <= now_;
    }
  }
  std::erase_if(open_, [&](std::uint32_t at) { return progress_[at].left == 0; });
  std::ranges::sort(open_);
}

void Packer::find_candidates(std::span<const Profile> machines, std::uint32_t machine,
                             std::span<const Bundle> bundles) {
  candidates_.clear();
  for (const std::uint32_t at : open_) {
    if (progress_[at].ready > now_) continue;
    const DemandSpan demand = bundles[at].demand;
    const auto holds = [&](const Profile& one) { return one.holds(demand); };
    const bool belongs_elsewhere =
        machines.size() > 1 && !holds(machines[machine]) && std::ranges::any_of(machines, holds);
    if (!belongs_elsewhere) candidates_.push_back({.bundle = at});
  }
}

// Leaves out those that have no room any more.
std::optional<Packer::Candidate> Packer::best_candidate(const ProfileView& profile_view,
                                                        std::span<const Bundle> bundles) {
  std::erase_if(candidates_, [&](const Candidate& one) {
    const Bundle& bundle = bundles[one.bundle];
    return profile_view.room(now_ + bundle.duration, bundle.demand, 1) == 0;
  });
  if (candidates_.empty()) return std::nullopt;
  const Candidate* best = nullptr;
  for (Candidate& one : candidates_) {
    one.alignment = alignment_.of(bundles[one.bundle].demand, profile_view.free());
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

void Packer::start(std::span<Profile> machines, const PackedStart& made, const Bundle& bundle) {
  Progress& one = progress_[made.bundle];
  machines[made.machine].take(now_, now_ + bundle.duration, bundle.demand, made.tasks);
  outlooks_[made.machine].take(now_ + bundle.duration, bundle.demand, made.tasks);
  PackedStart* const last = starts_.empty() ? nullptr : &starts_.back();
  const bool goes_on = last != nullptr && last->begin == made.begin &&
                       last->bundle == made.bundle && last->machine == made.machine;
  if (goes_on) {
    last->tasks += made.tasks;
  } else {
    starts_.push_back(made);
  }
  one.left -= made.tasks;
  one.ended = std::max(one.ended, now_ + bundle.duration);
  end_ = std::max(end_, one.ended);
}

// Starts all that has room there now.
void Packer::fill(std::span<Profile> machines, std::uint32_t machine,
                  std::span<const Bundle> bundles) {
  ProfileView& profile_view = outlooks_[machine];
  find_candidates(machines, machine, bundles);
  if (candidates_.empty()) return;
  profile_view.move_to(machines[machine], now_);
  while (const auto best = best_candidate(profile_view, bundles)) {
    const Bundle& bundle = bundles[best->bundle];
    const std::uint32_t tasks =
        profile_view.room(now_ + bundle.duration, bundle.demand, lead_of(*best, bundles));
    start(machines, {.begin = now_, .bundle = best->bundle, .tasks = tasks, .machine = machine},
          bundle);
    if (progress_[best->bundle].left > 0) continue;
    std::swap(*std::ranges::find(open_, best->bundle), open_.back());
    let_follow(open_.size() - 1);
    find_candidates(machines, machine, bundles);
  }
}

// When room changes somewhere, or a bundle gets ready.
Duration Packer::next_moment(std::span<const Profile> machines) const {
  Duration next = Duration::max();
  for (const std::uint32_t at : open_) {
    if (progress_[at].ready > now_) next = std::min(next, progress_[at].ready);
  }
  for (const Profile& machine : machines) {
    const std::size_t step = machine.step_at(now_) + 1;
    if (step < machine.steps()) next = std::min(next, machine.begin(step));
  }
  return next;
}

std::span<const PackedStart> Packer::pack(std::span<Profile> machines,
                                          std::span<const Bundle> bundles,
                                          std::span<const Edge> edges, Duration from,
                                          Duration until) {
  now_ = from;
  outlooks_.resize(machines.size());
  for (std::size_t at = 0; at < machines.size(); ++at) outlooks_[at].begin(machines[at]);
  begin(bundles, edges);
  while (!open_.empty() && now_ <= until) {
    do {
      followed_at_once_ = false;
      const bool some_are_new = now_ == from || std::ranges::any_of(open_, [&](std::uint32_t at) {
                                  return progress_[at].ready == now_;
                                });
      for (std::uint32_t at = 0; at < machines.size() && !open_.empty(); ++at) {
        const Profile& machine = machines[at];
        const bool changes = machine.begin(machine.step_at(now_)) == now_;
        if (some_are_new || changes) fill(machines, at, bundles);
      }
    } while (followed_at_once_ && machines.size() > 1);  // they may fit one before
    const Duration next = next_moment(machines);
    SOMNUS_CHECK(open_.empty() || next < Duration::max(), "a packer waits for nothing");
    now_ = next;
  }
  return starts_;
}

}  // namespace somnus
