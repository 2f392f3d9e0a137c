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
//     dV/dt = M / W(t)                  [slot-ns per ns]; V rests while nothing is active
//     F_j   = V(a_j) + L_j / w_j        [slot-ns], fixed at the arrival a_j
//
// Job j leaves when V reaches F_j, so the order of F is the order of fluid finish, whatever
// arrives later. Membership is the fluid's own: a job leaves even if the real one still runs.
//
// V is kept in quadruple precision, and what is compared is compared on the grid (base/grid.hpp).
// Instead of the time when a job leaves, a fraction, the service M t that all slots have given by
// then is kept: V moves by (M t - service) / W, one rounding, and to F_j without any.
//
// Each arrival and departure costs O(log n).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/grid.hpp"

namespace somnus {

class Gps {
 public:
  explicit Gps(double slots) : full_rate_(Quad{slots} * billion) {}

  /// A job with `slot_time` L arrives at `now`, not before the last call. Returns its virtual
  /// finish time F, slot-ns.
  Quad arrive(std::uint32_t job, Time now, Duration slot_time, double weight = 1);

  struct Departure {
    std::uint32_t job;
    double time;  // seconds
  };
  /// Moves on to `now`, calling departed(Departure) for each job that ends by then, in order: ends
  /// come before arrivals of one instant.
  template <class Departed>
  void advance(Time now, Departed&& departed) {
    serve(full_rate_ * exactly(now), departed);
  }
  void advance(Time now) {
    advance(now, [](const Departure&) {});
  }
  /// To the end of the last job.
  template <class Departed>
  void drain(Departed&& departed) {
    serve(std::numeric_limits<double>::infinity(), departed);
  }

  /// V, slot-ns.
  [[nodiscard]] Quad virtual_time() const { return virtual_time_; }
  [[nodiscard]] std::size_t active() const { return active_.size(); }

 private:
  struct Active {
    Quad finish;  // F
    std::uint32_t job;
    std::int64_t weight;  // billionths
  };
  static bool later(const Active& a, const Active& b);
  // Until all slots have given that much since the start, in billionths.
  template <class Departed>
  void serve(Quad service, Departed& departed);
  // Pops the job that ends first.
  void leave_first();

  Quad full_rate_;    // M billion: service in billionths of slot-ns, as weights are
  Quad service_ = 0;  // given so far: M t, also of what was not used
  Quad virtual_time_ = 0;
  Quad weight_ = 0;             // W, billionths
  std::vector<Active> active_;  // a heap, the least F in front
};

template <class Departed>
void Gps::serve(Quad service, Departed& departed) {
  while (!active_.empty()) {
    const Active& first = active_.front();
    const Quad reached = virtual_time_ + std::max<Quad>(0, service - service_) / weight_;
    if (!reached_on_grid(first.finish, reached)) {
      virtual_time_ = reached;
      break;
    }
    const Quad needed = std::max<Quad>(0, first.finish - virtual_time_) * weight_;
    service_ = std::min(std::max(service, service_), service_ + needed);
    const std::uint32_t job = first.job;
    leave_first();
    departed(Departure{.job = job, .time = in_seconds(service_, full_rate_)});
  }
  service_ = std::max(service_, service);
}

struct FluidJob {
  double submit = 0;     // seconds
  double slot_time = 0;  // slot-seconds
  double weight = 1;
};

/// When each job (ordered by submit) ends in GPS on that many slots, in seconds.
[[nodiscard]] std::vector<double> gps_finish_times(double slots, std::span<const FluidJob> jobs);

}  // namespace somnus
