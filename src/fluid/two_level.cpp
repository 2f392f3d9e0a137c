#include "fluid/two_level.hpp"

#include <algorithm>
#include <limits>

namespace somnus {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

}  // namespace

double TwoLevel::next_served(const User& user) {
  if (user.unserved.empty()) return forever;
  return user.as_of + user.unserved.begin()->second / user.share.weight;
}

double TwoLevel::next_left(const User& user) {
  if (user.members.empty()) return forever;
  const double to_go = std::max(0.0, user.members.begin()->first.deadline - user.virtual_time);
  return user.as_of + to_go * user.job_weight / user.share.weight;
}

double TwoLevel::next_of(const User& user) {
  return std::min({next_served(user), next_left(user), user.end});
}

void TwoLevel::touch(User& user) const {
  const double service = (virtual_time_ - user.as_of) * user.share.weight;
  user.as_of = virtual_time_;
  if (!(service > 0)) return;
  if (!user.members.empty()) user.virtual_time += service / user.job_weight;
  if (!user.unserved.empty()) {
    double& left = user.unserved.begin()->second;
    left = std::max(0.0, left - service);
  }
}

TwoLevel::Place TwoLevel::arrive(std::uint32_t id, UserShare share, std::uint32_t job, double now,
                                 double slot_time, double weight) {
  if (now > time_) advance(now);
  if (id >= users_.size()) users_.resize(std::size_t{id} + 1);
  User& user = users_[id];
  if (active(id)) {
    touch(user);
  } else {
    user.share = share;
    user.start = virtual_time_;
    user.end = virtual_time_;
    user.as_of = virtual_time_;
    weight_ += share.weight;
  }
  const Place place = {.deadline = user.virtual_time + slot_time / weight, .job = job};
  user.members.emplace(place, Work{.slot_time = slot_time, .weight = weight});
  user.unserved.emplace(place, slot_time);
  user.job_weight += weight;
  user.end += user.share.scale * slot_time;
  next_.put(id, next_of(user));
  return place;
}

double TwoLevel::virtual_time(std::uint32_t id) const {
  const User& user = users_[id];
  if (!active(id) || user.members.empty()) return user.virtual_time;
  return user.virtual_time + (virtual_time_ - user.as_of) * user.share.weight / user.job_weight;
}

const std::map<TwoLevel::Place, double>& TwoLevel::unserved(std::uint32_t id) {
  if (active(id)) touch(users_[id]);
  return users_[id].unserved;
}

void TwoLevel::remove(std::uint32_t id) {
  User& user = users_[id];
  user.start = user.end;
  user.job_weight = 0;
  weight_ -= user.share.weight;
  next_.erase(id);
  if (next_.empty()) weight_ = 0;  // the sum of many weights may leave dust
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
    fluid.advance(job.submit, note);
    fluid.arrive(job.user, {.weight = weight, .scale = 1 / weight}, at, job.submit, job.slot_time,
                 job.weight);
  }
  fluid.advance(forever, note);
  return ends;
}

}  // namespace somnus
