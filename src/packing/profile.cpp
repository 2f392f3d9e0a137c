#include "packing/profile.hpp"

#include <algorithm>
#include <utility>

namespace somnus {

Profile::Profile(std::vector<Wide> pool) : pool_(std::move(pool)) { clear(); }

void Profile::clear() {
  steps_.assign(1, Step{Duration::min()});
  taken_.assign(pool_.size(), 0);
  begins_.clear();
}

void Profile::clear(std::span<const Wide> pool) {
  pool_.assign(pool.begin(), pool.end());
  clear();
}

std::size_t Profile::step_at(Duration moment) const {
  const auto after = std::ranges::upper_bound(steps_, moment, {}, &Step::begin);
  return static_cast<std::size_t>(after - steps_.begin()) - 1;
}

// The step that begins there.
std::size_t Profile::split(Duration moment) {
  const std::size_t step = step_at(moment);
  if (steps_[step].begin == moment) return step;
  const auto kinds = static_cast<std::ptrdiff_t>(pool_.size());
  const auto next = static_cast<std::ptrdiff_t>(step) + 1;
  steps_.insert(steps_.begin() + next, Step{moment, steps_[step].tasks});
  taken_.insert(taken_.begin() + next * kinds, pool_.size(), 0);
  std::copy_n(taken_.begin() + (next - 1) * kinds, kinds, taken_.begin() + next * kinds);
  return step + 1;
}

void Profile::change(Duration begin, Duration end, DemandSpan demand, std::int32_t tasks) {
  if (begin >= end) return;
  const std::size_t first = split(begin);
  const std::size_t last = split(end);
  for (std::size_t step = first; step < last; ++step) {
    steps_[step].tasks += tasks;
    for (std::size_t kind = 0; kind < demand.size(); ++kind) {
      taken_[step * pool_.size() + kind] += Wide{demand[kind]} * tasks;
    }
  }
  const auto at = std::ranges::lower_bound(begins_, begin);
  if (at == begins_.end() || *at != begin) begins_.insert(at, begin);
}

std::uint32_t Profile::room_in(std::size_t step, DemandSpan demand, std::uint32_t most) const {
  const std::uint32_t alone = steps_[step].tasks == 0 ? 1 : 0;
  std::uint32_t room = most;
  for (std::size_t kind = 0; kind < pool_.size(); ++kind) {
    const Wide asked = kind < demand.size() ? demand[kind] : 0;
    const Wide free = pool_[kind] - taken(step, kind);
    if (asked > free) return alone;
    if (asked * room > free) room = tasks_in(free, asked);
  }
  return room;
}

// Room is least where something begins; and from the end, for of what is held most ends late.
std::uint32_t Profile::room(std::size_t step, Duration end, DemandSpan demand,
                            std::uint32_t most) const {
  std::uint32_t room = room_in(step, demand, most);
  auto at = std::ranges::lower_bound(begins_, end);
  while (room > 0 && at != begins_.begin() && *--at > steps_[step].begin) {
    room = std::min(room, room_in(step_at(*at), demand, room));
  }
  return room;
}

}  // namespace somnus
