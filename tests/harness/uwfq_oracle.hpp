// Global virtual deadlines of UWFQ from their definition, over the brute-force fluids: nothing is
// chained anew, each deadline is a sum over what stands before the job.
//
//     paper      D_x = V when the user came + U_k sum of L over its jobs since then, up to x
//     exact2lv   D_x = V now + U_k sum of what 2-LV has left of its jobs, up to x
//
// set at each arrival of one of the user's jobs for those that are still there (in UJF; in 2-LV).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/user_fluid_oracle.hpp"

namespace somnus::harness {

/// The parameters of order "uwfq" that have a say in deadlines.
struct UwfqRules {
  std::string chain = "paper";
  std::string late_stage = "inherit";
  double grace_s = 2;
};

class UwfqOracle {
 public:
  UwfqOracle(double slots, UwfqRules rules)
      : slots_(slots), rules_(std::move(rules)), fluid_(slots) {}

  void job_arrived(std::uint32_t job, std::uint32_t user, double user_weight, double now,
                   double slot_time, double weight) {
    fluid_.advance(now);
    User& owner = users_[user];
    if (!fluid_.active(user)) owner = {.weight = user_weight, .came = fluid_.virtual_time()};
    const std::uint32_t number = fluid_.arrive(user, user_weight, now, slot_time, weight);
    jobs_[job] = {.number = number,
                  .user = user,
                  .slot_time = slot_time,
                  .user_deadline = fluid_.virtual_time(user) + slot_time / weight};
    owner.jobs.push_back(job);
    owner.work += slot_time;
    chain(owner);
  }

  /// A stage of a job that arrived before is runnable; returns true if it goes before all others.
  bool stage_runnable(std::uint32_t job, double now) {
    fluid_.advance(now);
    Job& facts = jobs_.at(job);
    const double to_go = facts.user_deadline - fluid_.virtual_time(facts.user);
    if (std::abs(to_go) < 1e-9 * (1 + facts.user_deadline)) doubtful_.insert(facts.user);
    if (fluid_.in_ujf(facts.number)) return false;
    if (rules_.late_stage == "zero") return true;
    const User& owner = users_.at(facts.user);
    const double left_ago =
        fluid_.virtual_time() - (owner.came + owner.work / owner.weight);  // slot-seconds of V
    const double grace = slots_ * rules_.grace_s;
    if (!fluid_.active(facts.user) && std::abs(left_ago - grace) < 1e-9 * (1 + grace)) {
      doubtful_.insert(facts.user);
    }
    if (!fluid_.active(facts.user) && left_ago > grace) {
      facts.deadline = fluid_.virtual_time() + facts.slot_time / owner.weight;
    }
    return false;
  }

  /// D, slot-seconds of V.
  [[nodiscard]] double deadline(std::uint32_t job) const { return jobs_.at(job).deadline; }
  /// A choice between jobs of that user hung on rounding; deadlines may be otherwise.
  [[nodiscard]] bool doubtful(std::uint32_t job) const {
    const std::uint32_t user = jobs_.at(job).user;
    return doubtful_.contains(user) || fluid_.close_call(user);
  }

 private:
  struct Job {
    std::uint32_t number = 0;  // in the fluid
    std::uint32_t user = 0;
    double slot_time = 0;
    double user_deadline = 0;  // d
    double deadline = 0;       // D
  };
  struct User {
    double weight = 1;
    double came = 0;  // V
    double work = 0;  // slot-seconds since then
    std::vector<std::uint32_t> jobs{};
  };

  void chain(const User& owner) {
    const bool paper = rules_.chain == "paper";
    for (const std::uint32_t job : owner.jobs) {
      Job& facts = jobs_.at(job);
      const bool there = paper ? fluid_.in_ujf(facts.number) : fluid_.left_of(facts.number) > 0;
      if (!there) continue;
      double before = 0;
      for (const std::uint32_t other : owner.jobs) {
        const Job& first = jobs_.at(other);
        const double apart = first.user_deadline - facts.user_deadline;
        if (other != job && std::abs(apart) < 1e-9 * (1 + facts.user_deadline)) {
          doubtful_.insert(facts.user);
        }
        if (apart <= 0) before += paper ? first.slot_time : fluid_.left_of(first.number);
      }
      facts.deadline = (paper ? owner.came : fluid_.virtual_time()) + before / owner.weight;
    }
  }

  double slots_;
  UwfqRules rules_;
  UserFluidOracle fluid_;
  std::map<std::uint32_t, User> users_;
  std::map<std::uint32_t, Job> jobs_;
  std::set<std::uint32_t> doubtful_;  // users
};

}  // namespace somnus::harness
