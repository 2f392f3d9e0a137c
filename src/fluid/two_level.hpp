// Two fluids over users and their jobs: user-job fairness (UJF) and two-level virtual time (2-LV),
// which UWFQ takes its order from (UWFQ, sections III and IV, appendix A; policies.md 1.2, 1.3).
//
// Idea. Both give each active user k the same share of the R slots at each instant, and differ
// only in what a user does with its share; so they are one system here, with two kinds of ends.
//
//     R_k = R w_k / sum of w over the active users        [slots]     outer level, w_k: user weight
//     dV/dt = R / sum of w                                [slot-s/s]  global virtual time
//
//     UJF:   all of k's jobs at once, r_i = R_k w_i / sum of w over J_k    (J_k: its active jobs)
//     2-LV:  only one, the unfinished job that would end first in UJF
//
// The inner fluid of UJF is GPS over the user's jobs, with a virtual time of its own:
//
//     dv_k/dt = R_k / sum of w over J_k      d_i = v_k(a_i) + L_i / w_i       [slot-seconds]
//
// Job i leaves J_k when v_k reaches d_i: that is its end in UJF. 2-LV serves the jobs in order of
// d_i. A user leaves when all its jobs have ended, which is at the same instant in both:
//
//     V_end_k = V_start_k + U_k sum of L over J_k         U_k = 1 / w_k
//
// where V_start_k is V when the user came, plus U_k L_i for each job that has left J_k since.
// (UWFQ's own scalar leaves the fluid unweighted and only scales that chain; see UserShare.)
//
// In V, a user's next end does not depend on other users; so one heap over users holds it,
// and each arrival and end costs O(log users + log J_k).
//
// Virtual times are kept in quadruple precision, in slot-ns, and what is compared is compared on
// the grid (base/grid.hpp): who is first among a user's jobs, and whether an end is due. As in
// gps.hpp the clock is the service R t that all slots have given.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "base/grid.hpp"
#include "base/indexed_heap.hpp"

namespace somnus {

/// What a user gets of the cluster.
struct UserShare {
  double weight = 1;  // in the fluid
  double scale = 1;   // U_k, of slot-time in the chain of deadlines; 1 / weight in a true fluid
};

class TwoLevel {
 public:
  /// Where a job stands among its user's; ends come in this order.
  struct Position {
    Wide deadline;  // d_i, of the user's virtual time, on the grid
    std::uint32_t job;
    friend constexpr auto operator<=>(const Position&, const Position&) = default;
  };
  struct Work {
    Duration slot_time;   // L_i
    std::int64_t weight;  // w_i, billionths
    Quad deadline;        // d_i
  };
  enum class Which { two_level, ujf };
  struct End {
    Which which;
    std::uint32_t job;
    std::uint32_t user;
    double time;  // seconds
  };

  explicit TwoLevel(double slots) : full_rate_(Quad{slots} * billion) {}

  /// A job with `slot_time` L comes to its user at `now`, not before the last call. The share
  /// counts from the moment when the user becomes active.
  Position arrive(std::uint32_t user, UserShare share, std::uint32_t job, Time now,
                  Duration slot_time, double weight = 1);

  /// Moves on to `now`, calling ended(End) for each end by then, in order of time; of one job the
  /// end in 2-LV comes first. Ends come before arrivals of one instant.
  template <class Ended>
  void advance(Time now, Ended&& ended) {
    serve(full_rate_ * exactly(now), ended);
  }
  void advance(Time now) {
    advance(now, [](const End&) {});
  }
  /// To the end of the last job.
  template <class Ended>
  void drain(Ended&& ended) {
    serve(std::numeric_limits<double>::infinity(), ended);
  }

  /// V, slot-ns.
  [[nodiscard]] Quad virtual_time() const { return virtual_time_; }
  [[nodiscard]] std::size_t active_users() const { return next_.size(); }
  [[nodiscard]] bool active(std::uint32_t user) const { return next_.contains(user); }

  // Of one user that has ever been active.
  /// v_k, slot-ns.
  [[nodiscard]] Quad virtual_time(std::uint32_t user) const;
  /// V_start_k and V_end_k: where the chain of the jobs in J_k begins and ends; slot-ns.
  [[nodiscard]] Quad start(std::uint32_t user) const {
    return users_[user].scaled(users_[user].gone);
  }
  [[nodiscard]] Quad end(std::uint32_t user) const {
    return users_[user].scaled(users_[user].arrived);
  }
  [[nodiscard]] UserShare share(std::uint32_t user) const { return users_[user].share; }
  /// J_k.
  [[nodiscard]] const std::map<Position, Work>& members(std::uint32_t user) const {
    return users_[user].members;
  }
  /// What 2-LV has left of each job that it has not ended, slot-ns, as of the last advance().
  [[nodiscard]] const std::map<Position, Quad>& unserved(std::uint32_t user);

 private:
  struct User {
    UserShare share;
    Quad weight = 0;        // of the share, billionths
    Quad divisor = 1;       // 1 / scale of the share, billionths
    Quad active_since = 0;  // V when it became active
    Quad arrived = 0;       // sum of L over its jobs since then, slot-ns: whole, so exact
    Quad gone = 0;          // sum of L over the jobs that have left J_k since then
    Quad virtual_time = 0;  // v_k
    Quad as_of = 0;         // the V that the state below and v_k belong to
    Quad job_weight = 0;    // sum over J_k, billionths
    std::map<Position, Work> members;
    std::map<Position, Quad> unserved;
    Quad served_at = 0;  // V at which its first unserved job ends in 2-LV,
    Quad left_at = 0;    // its first member leaves J_k,
    Quad end_at = 0;     // and its chain ends

    // Where the chain stands after that much of its work.
    [[nodiscard]] Quad scaled(Quad work) const { return active_since + per_weight(work, divisor); }
  };

  // What happens next at the user, and when.
  void set_next(std::uint32_t id);
  // Until all slots have given that much since the start, in billionths.
  template <class Ended>
  void serve(Quad service, Ended& ended);
  // The user's own fluids move on to the present V; nothing of the above may lie before it.
  void touch(User& user) const;
  // What is due at the user now.
  template <class Ended>
  void settle(std::uint32_t id, Ended& ended);
  // The user's first member leaves J_k; if 2-LV has not ended it by then, but for rounding, it has.
  template <class Ended>
  void leave(std::uint32_t id, Ended& ended);
  // From the active users.
  void remove(std::uint32_t id);

  [[nodiscard]] bool is_due(Quad at) const { return reached_on_grid(at, virtual_time_); }
  [[nodiscard]] double time() const { return in_seconds(service_, full_rate_); }

  Quad full_rate_;    // R billion: service in billionths of slot-ns, as weights are
  Quad service_ = 0;  // given so far: R t, also of what was not used
  Quad virtual_time_ = 0;
  Quad weight_ = 0;  // of the active users, billionths
  std::vector<User> users_;
  IndexedHeap<Quad> next_;  // by user, of the active ones: V at which something next happens
};

template <class Ended>
void TwoLevel::serve(Quad service, Ended& ended) {
  while (!next_.empty()) {
    const Quad due = std::max(next_.top().key, virtual_time_);
    const Quad reached = virtual_time_ + std::max<Quad>(0, service - service_) / weight_;
    if (!reached_on_grid(due, reached)) {
      virtual_time_ = reached;
      break;
    }
    const Quad needed = (due - virtual_time_) * weight_;
    service_ = std::min(std::max(service, service_), service_ + needed);
    virtual_time_ = due;
    settle(next_.top().index, ended);
  }
  service_ = std::max(service_, service);
}

template <class Ended>
void TwoLevel::settle(std::uint32_t id, Ended& ended) {
  User& user = users_[id];
  const bool served = is_due(user.served_at);
  const bool left = is_due(user.left_at);
  touch(user);
  if (served) {
    const auto first = user.unserved.begin();
    ended(End{Which::two_level, first->first.job, id, time()});
    user.unserved.erase(first);
  }
  if (left) {
    user.virtual_time = std::max(user.virtual_time, user.members.begin()->second.deadline);
    leave(id, ended);
  }
  // It is when the last job leaves, unless `scale` is not 1 / weight: then the end cuts jobs off,
  // or the user stays on without any.
  if (!is_due(user.end_at)) {
    set_next(id);
    return;
  }
  while (!user.members.empty()) leave(id, ended);
  remove(id);
}

template <class Ended>
void TwoLevel::leave(std::uint32_t id, Ended& ended) {
  User& user = users_[id];
  const auto [place, work] = *user.members.begin();
  if (user.unserved.erase(place) > 0) ended(End{Which::two_level, place.job, id, time()});
  user.members.erase(user.members.begin());
  user.job_weight -= static_cast<Quad>(work.weight);
  user.gone += exactly(work.slot_time);
  ended(End{Which::ujf, place.job, id, time()});
}

struct UserJob {
  std::uint32_t user = 0;
  double submit = 0;     // seconds
  double slot_time = 0;  // slot-seconds
  double weight = 1;
};

/// When each job ends in the two fluids, in seconds.
struct UserFluidEnds {
  std::vector<double> ujf;
  std::vector<double> two_level;
};
/// Of jobs in order of submit, on that many slots; user_weights by user.
[[nodiscard]] UserFluidEnds user_fluid_ends(double slots, std::span<const UserJob> jobs,
                                            std::span<const double> user_weights);

}  // namespace somnus
