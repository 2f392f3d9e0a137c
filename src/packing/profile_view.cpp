#include "packing/profile_view.hpp"

#include <algorithm>
#include <iterator>

namespace somnus {

void ProfileView::begin(const Profile& space) {
  kinds_ = space.kinds();
  free_.resize(kinds_);
  moments_.assign(1, Duration::min());
  std::ranges::copy_if(space.begins(), std::back_inserter(moments_), [&](Duration moment) {
    return !space.is_empty(space.step_at(moment));  // what was given back begins no more
  });
  amounts_.resize(moments_.size() * kinds_);
  least_.resize(amounts_.size());
  for (std::size_t moment = 0; moment < moments_.size(); ++moment) {
    const std::size_t step = space.step_at(moments_[moment]);
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      amounts_[moment * kinds_ + kind] = space.pool(kind) - space.taken(step, kind);
    }
  }
}

void ProfileView::move_to(const Profile& space, Duration now) {
  const auto later = std::upper_bound(moments_.begin() + 1, moments_.end(), now);
  const auto passed = later - moments_.begin() - 1;
  moments_.erase(moments_.begin(), moments_.begin() + passed);
  amounts_.erase(amounts_.begin(), amounts_.begin() + passed * static_cast<std::ptrdiff_t>(kinds_));
  moments_.front() = now;
  const std::size_t step = space.step_at(now);
  for (std::size_t kind = 0; kind < kinds_; ++kind) {
    amounts_[kind] = space.pool(kind) - space.taken(step, kind);
  }
  is_empty_ = space.is_empty(step);
  forget_least();
}

void ProfileView::take(Duration end, DemandSpan demand, std::uint32_t tasks) {
  for (std::size_t moment = 0; moment < moments_.size() && moments_[moment] < end; ++moment) {
    for (std::size_t kind = 0; kind < demand.size(); ++kind) {
      amounts_[moment * kinds_ + kind] -= Wide{demand[kind]} * tasks;
    }
    is_empty_ = false;
  }
  forget_least();
}

void ProfileView::forget_least() {
  known_ = 1;
  for (std::size_t kind = 0; kind < kinds_; ++kind) {
    least_[kind] = amounts_[kind];
    free_[kind] = as_double(amounts_[kind]);
  }
}

const Wide* ProfileView::least_up_to(std::size_t moment) const {
  for (; known_ <= moment; ++known_) {
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      const std::size_t at = known_ * kinds_ + kind;
      least_[at] = std::min(amounts_[at], least_[at - kinds_]);
    }
  }
  return &least_[moment * kinds_];
}

std::uint32_t ProfileView::room(Duration end, DemandSpan demand, std::uint32_t most) const {
  const auto later = std::lower_bound(moments_.begin() + 1, moments_.end(), end);
  const auto last = static_cast<std::size_t>(later - moments_.begin()) - 1;
  const Wide* least = least_up_to(last);
  std::uint32_t room = most;
  for (std::size_t kind = 0; kind < demand.size(); ++kind) {
    const Wide asked = demand[kind];
    const Wide free = least[kind];
    if (asked > free) return is_empty_ && last == 0 ? 1 : 0;
    if (room > 1 && asked * room > free) room = tasks_in(free, asked);
  }
  return room;
}

}  // namespace somnus
