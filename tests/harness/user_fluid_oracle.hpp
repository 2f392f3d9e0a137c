// User-job fairness and two-level virtual time by brute force, from their definitions alone.
// Between two events every rate is constant:
//
//     share of user k      R w_k / (sum of w over users with work left in that fluid)
//     UJF                  each of k's jobs gets its part by weight of the share
//     2-LV                 one job gets all of it: of those with work left, the one that UJF has
//                          ended, or else the one that UJF would end first if nothing more came
//
// and the next event is an arrival or the first job to run out. O(jobs) an event; the two fluids
// keep books of their own, and share no formula with src/fluid.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace somnus::harness {

class UserFluidOracle {
 public:
  explicit UserFluidOracle(double slots) : slots_(slots) {}

  /// Jobs are numbered as they come. The user's weight is that of its first job while it is idle.
  std::uint32_t arrive(std::uint32_t user, double user_weight, double now, double slot_time,
                       double weight = 1) {
    advance(now);
    if (user >= users_.size()) users_.resize(std::size_t{user} + 1);
    if (!active(user)) users_[user].weight = user_weight;
    jobs_.push_back({.user = user,
                     .weight = weight,
                     .submit = now,
                     .whole = slot_time,
                     .ujf = {.rest = slot_time / weight},
                     .two_level = {.rest = slot_time}});
    note_close_end(jobs_.back());
    for (Share* each : {&jobs_.back().ujf, &jobs_.back().two_level}) {
      if (slot_time == 0) each->end = now;
    }
    return static_cast<std::uint32_t>(jobs_.size() - 1);
  }

  void advance(double now) {
    while (time_ < now) {
      set_rates();
      double step = now - time_;
      for (const Job& job : jobs_)
        step = std::min({step, runs_out(job.ujf), runs_out(job.two_level)});
      if (std::isinf(step)) break;
      const bool ends = step < now - time_;
      time_ = ends ? time_ + step : now;
      serve(step);
    }
  }
  void drain() { advance(std::numeric_limits<double>::infinity()); }

  /// In seconds, by job; NaN before its end.
  [[nodiscard]] std::vector<double> ujf_ends() const { return ends(&Job::ujf); }
  [[nodiscard]] std::vector<double> two_level_ends() const { return ends(&Job::two_level); }

  /// V and v_k, slot-seconds.
  [[nodiscard]] double virtual_time() const { return virtual_time_; }
  [[nodiscard]] double virtual_time(std::uint32_t user) const { return users_[user].virtual_time; }
  /// Has work left in UJF.
  [[nodiscard]] bool active(std::uint32_t user) const { return left(user, &Job::ujf) > 0; }
  [[nodiscard]] bool in_ujf(std::uint32_t job) const { return jobs_[job].ujf.rest > 0; }
  /// What is left of the user's work in 2-LV, slot-seconds.
  [[nodiscard]] double left_in_two_level(std::uint32_t user) const {
    return left(user, &Job::two_level);
  }
  [[nodiscard]] double left_of(std::uint32_t job) const { return jobs_[job].two_level.rest; }
  /// What 2-LV did for the user hung on rounding: a choice between jobs that differ in nothing
  /// else, or whether a job was over when one that overtakes it came.
  [[nodiscard]] bool close_call(std::uint32_t user) const { return users_[user].close_call; }

 private:
  // A job in one of the two fluids.
  struct Share {
    double rest = 0;  // of the slot-time; in UJF divided by the job's weight
    double rate = 0;
    double end = std::numeric_limits<double>::quiet_NaN();
  };
  struct Job {
    std::uint32_t user;
    double weight;
    double submit;
    double whole;  // L
    Share ujf;
    Share two_level;
  };
  struct User {
    double weight = 1;
    double virtual_time = 0;
    double rate = 0;  // of v_k
    bool close_call = false;
  };

  [[nodiscard]] static double runs_out(const Share& share) {
    if (share.rest <= 0 || share.rate <= 0) return std::numeric_limits<double>::infinity();
    return share.rest / share.rate;
  }

  [[nodiscard]] double left(std::uint32_t user, Share Job::* fluid) const {
    double sum = 0;
    for (const Job& job : jobs_) sum += job.user == user ? (job.*fluid).rest : 0;
    return sum;
  }

  // Of the users with work left in that fluid.
  [[nodiscard]] double weights(Share Job::* fluid) const {
    double sum = 0;
    for (std::uint32_t user = 0; user < users_.size(); ++user) {
      sum += left(user, fluid) > 0 ? users_[user].weight : 0;
    }
    return sum;
  }

  void set_rates() {
    for (Job& job : jobs_) job.ujf.rate = job.two_level.rate = 0;
    const double ujf_weights = weights(&Job::ujf);
    const double two_level_weights = weights(&Job::two_level);
    rate_ = ujf_weights > 0 ? slots_ / ujf_weights : 0;
    for (std::uint32_t user = 0; user < users_.size(); ++user) {
      set_ujf_rates(user, slots_ * users_[user].weight / ujf_weights);
      if (left(user, &Job::two_level) > 0) {
        served(user).two_level.rate = slots_ * users_[user].weight / two_level_weights;
      }
    }
  }

  void set_ujf_rates(std::uint32_t user, double share) {
    double job_weights = 0;
    for (const Job& job : jobs_) {
      job_weights += job.user == user && job.ujf.rest > 0 ? job.weight : 0;
    }
    users_[user].rate = job_weights > 0 ? share / job_weights : 0;
    for (Job& job : jobs_) {
      if (job.user == user && job.ujf.rest > 0) job.ujf.rate = share / job_weights;
    }
  }

  // The one of the user's jobs that 2-LV gives the whole share to.
  Job& served(std::uint32_t user) {
    Job* first = nullptr;
    for (Job& job : jobs_) {
      if (job.user != user || job.two_level.rest <= 0) continue;
      if (first == nullptr || job.ujf.rest < first->ujf.rest) first = &job;
    }
    for (const Job& job : jobs_) {
      if (job.user != user || job.two_level.rest <= 0 || &job == first) continue;
      const bool twins =
          job.submit == first->submit && job.whole / job.weight == first->whole / first->weight;
      const bool close = job.ujf.rest - first->ujf.rest < 1e-9 * (1 + job.ujf.rest);
      if (close && !twins) users_[user].close_call = true;
    }
    return *first;
  }

  void note_close_end(const Job& arrived) {
    for (const Job& job : jobs_) {
      const bool overtaken = job.user == arrived.user && job.ujf.rest > arrived.ujf.rest;
      if (overtaken && std::abs(job.two_level.end - arrived.submit) < 1e-9 * (1 + arrived.submit)) {
        users_[arrived.user].close_call = true;
      }
    }
  }

  void serve(double step) {
    virtual_time_ += step * rate_;
    for (User& user : users_) user.virtual_time += step * user.rate;
    for (Job& job : jobs_) {
      for (Share* each : {&job.ujf, &job.two_level}) {
        if (each->rate <= 0) continue;
        each->rest -= step * each->rate;
        if (each->rest > 1e-12 * (1 + job.whole)) continue;  // less is dust of rounding
        each->rest = 0;
        each->end = time_;
      }
    }
  }

  [[nodiscard]] std::vector<double> ends(Share Job::* fluid) const {
    std::vector<double> found;
    for (const Job& job : jobs_) found.push_back((job.*fluid).end);
    return found;
  }

  double slots_;
  double time_ = 0;
  double virtual_time_ = 0;
  double rate_ = 0;  // of V
  std::vector<Job> jobs_;
  std::vector<User> users_;
};

}  // namespace somnus::harness
