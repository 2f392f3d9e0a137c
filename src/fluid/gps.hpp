// GPS over jobs: the idealised fair cluster that CFQ takes its order from.
//
// Idea (CFQ, sections IV.A and IV.C; policies.md 1.1). Every job is infinitely divisible and may
// use any share of the M slots. At each instant the active jobs are served in proportion to their
// weights:
//
//     rate_j(t) = M w_j / W(t)          W(t) = sum of w over the jobs active IN THE FLUID
//
// Virtual time V measures the service that a job of weight 1 has had since the start:
//
//     dV/dt = M / W(t)                  [slot-seconds per second]; V rests while nothing is active
//     F_j   = V(a_j) + L_j / w_j        [slot-seconds], fixed at the arrival a_j
//
// Job j leaves when V reaches F_j, so the order of F is the order of fluid finish, whatever
// arrives later. Membership is the fluid's own: a job leaves even if the real one still runs.
//
// Each arrival and departure costs O(log n).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fluid/instant.hpp"

namespace somnus {

class Gps {
 public:
  explicit Gps(double slots) : slots_(slots) {}

  /// A job with `slot_time` L (slot-seconds) arrives at `now` (seconds, not before the last call).
  /// Returns its virtual finish time F.
  double arrive(std::uint32_t job, double now, double slot_time, double weight = 1);

  struct Departure {
    std::uint32_t job;
    double time;  // seconds
  };
  /// Moves on to `now`, calling departed(Departure) for each job that ends by then, in order; also
  /// for one that ends just later by rounding, so that ends come before arrivals of one instant.
  template <class Departed>
  void advance(double now, Departed&& departed) {
    while (!active_.empty()) {
      const double leaves =
          time_ + std::max(0.0, active_.front().finish - virtual_time_) * weight_ / slots_;
      if (leaves > same_instant(now)) {
        virtual_time_ += std::max(0.0, now - time_) * slots_ / weight_;
        break;
      }
      departed(Departure{.job = active_.front().job, .time = leave_first(leaves)});
    }
    if (now > time_) time_ = now;
  }
  void advance(double now) {
    advance(now, [](const Departure&) {});
  }

  /// V, in slot-seconds.
  [[nodiscard]] double virtual_time() const { return virtual_time_; }
  [[nodiscard]] std::size_t active() const { return active_.size(); }

 private:
  struct Active {
    double finish;  // F
    std::uint32_t job;
    double weight;
  };
  static bool later(const Active& a, const Active& b);
  // Pops the job that ends first; returns the time when it does.
  double leave_first(double when);

  double slots_;
  double time_ = 0;
  double virtual_time_ = 0;
  double weight_ = 0;           // W
  std::vector<Active> active_;  // a heap, the least F in front
};

struct FluidJob {
  double submit = 0;     // seconds
  double slot_time = 0;  // slot-seconds
  double weight = 1;
};

/// When each job (ordered by submit) ends in GPS on that many slots, in seconds.
[[nodiscard]] std::vector<double> gps_finish_times(double slots, std::span<const FluidJob> jobs);

}  // namespace somnus
