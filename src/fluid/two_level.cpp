#include "fluid/two_level.hpp"

#include <algorithm>
#include <limits>

namespace somnus {
namespace {

constexpr Quad forever = std::numeric_limits<double>::infinity();

}  // namespace

void TwoLevel::set_next(std::uint32_t id) {
  User& user = users_[id];
  user.served_at = forever;
  if (!user.unserved.empty()) {
    user.served_at = user.as_of + per_weight(user.unserved.begin()->second, user.weight);
  }
  user.left_at = forever;
  if (!user.members.empty()) {
    const Quad to_go = std::max<Quad>(0, user.members.begin()->second.deadline - user.virtual_time);
    const bool alone = user.job_weight == user.weight;
    user.left_at = user.as_of + (alone ? to_go : to_go * user.job_weight / user.weight);
  }
  next_.put(id, std::min({user.served_at, user.left_at, user.end_at}));
}

void TwoLevel::touch(User& user) const {
  const Quad passed = virtual_time_ - user.as_of;
  user.as_of = virtual_time_;
  if (!(passed > 0)) return;
  const bool alone = user.job_weight == user.weight;
  if (!user.members.empty()) {
    user.virtual_time += alone ? passed : passed * user.weight / user.job_weight;
  }
  if (!user.unserved.empty()) {
    Quad& left = user.unserved.begin()->second;
    left = std::max<Quad>(
        0, left - (user.weight == billion ? passed : passed * user.weight / billion));
  }
}

TwoLevel::Position TwoLevel::arrive(std::uint32_t id, UserShare share, std::uint32_t job, Time now,
                                    Duration slot_time, double weight) {
  if (full_rate_ * exactly(now) > service_) advance(now);
  if (id >= users_.size()) users_.resize(std::size_t{id} + 1);
  User& user = users_[id];
  if (active(id)) {
    touch(user);
  } else {
    user.share = share;
    user.weight = static_cast<Quad>(billionths(share.weight));
    user.divisor = static_cast<Quad>(billionths(1 / share.scale));
    user.active_since = virtual_time_;
    user.arrived = 0;
    user.gone = 0;
    user.as_of = virtual_time_;
    weight_ += user.weight;
  }
  const std::int64_t parts = billionths(weight);
  const Quad deadline =
      user.virtual_time + per_weight(exactly(slot_time), static_cast<Quad>(parts));
  const Position place = {.deadline = on_grid(deadline), .job = job};
  user.members.emplace(place, Work{.slot_time = slot_time, .weight = parts, .deadline = deadline});
  user.unserved.emplace(place, exactly(slot_time));
  user.job_weight += static_cast<Quad>(parts);
  user.arrived += exactly(slot_time);
  user.end_at = user.scaled(user.arrived);
  set_next(id);
  return place;
}

Quad TwoLevel::virtual_time(std::uint32_t id) const {
  const User& user = users_[id];
  if (!active(id) || user.members.empty()) return user.virtual_time;
  return user.virtual_time + (virtual_time_ - user.as_of) * user.weight / user.job_weight;
}

const std::map<TwoLevel::Position, Quad>& TwoLevel::unserved(std::uint32_t id) {
  if (active(id)) touch(users_[id]);
  return users_[id].unserved;
}

void TwoLevel::remove(std::uint32_t id) {
  User& user = users_[id];
  user.gone = user.arrived;
  user.job_weight = 0;
  weight_ -= user.weight;
  next_.erase(id);
}

UserFluidEnds user_fluid_ends(double slots, std::span<const UserJob> jobs,
                              std::span<const double> user_weights) {
  UserFluidEnds ends{.ujf = std::vector<double>(jobs.size()),
                     .two_level = std::vector<double>(jobs.size())};
  const auto note = [&](const TwoLevel::End& end) {
    (end.which == TwoLevel::Which::ujf ? ends.ujf : ends.two_level)[end.job] = end.time;
  };
  TwoLevel fluid(slots);
  for (std::uint32_t at = 0; at < jobs.size(); ++at) {
    const UserJob& job = jobs[at];
    const double weight = user_weights[job.user];
    const Time submit = at_seconds(job.submit);
    fluid.advance(submit, note);
    fluid.arrive(job.user, {.weight = weight, .scale = 1 / weight}, at, submit,
                 seconds(job.slot_time), job.weight);
  }
  fluid.drain(note);
  return ends;
}

}  // namespace somnus
