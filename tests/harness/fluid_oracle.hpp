// GPS by brute force, from its definition alone: every active job i is served at M w_i / W, and the
// next thing to happen is an arrival or the end of the job whose remaining work runs out first.
// O(n) an event; shares no formula with src/fluid.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace somnus::harness {

class FluidOracle {
 public:
  explicit FluidOracle(double slots) : slots_(slots) {}

  /// Returns V(now) + L / w.
  double arrive(std::uint32_t job, double now, double slot_time, double weight) {
    advance(now);
    if (ends_.size() <= job) ends_.resize(job + 1, std::numeric_limits<double>::quiet_NaN());
    active_.push_back({job, slot_time, weight});
    return virtual_time_ + slot_time / weight;
  }

  void advance(double now) {
    while (!active_.empty()) {
      double weights = 0;
      for (const Active& each : active_) weights += each.weight;
      const auto runs_out = [&](const Active& each) {
        return each.rest / (slots_ * each.weight / weights);
      };
      const auto first = std::min_element(
          active_.begin(), active_.end(),
          [&](const Active& a, const Active& b) { return runs_out(a) < runs_out(b); });
      const double step = std::min(runs_out(*first), now - time_);
      const bool ends = time_ + runs_out(*first) <= now;
      for (Active& each : active_) {
        each.rest = std::max(0.0, each.rest - step * slots_ * each.weight / weights);
      }
      virtual_time_ += step * slots_ / weights;
      time_ += step;
      if (!ends) break;
      ends_[first->job] = time_;
      active_.erase(first);
    }
    time_ = std::max(time_, now);
  }

  void drain() {
    while (!active_.empty()) advance(std::numeric_limits<double>::max());
  }

  [[nodiscard]] double virtual_time() const { return virtual_time_; }
  /// By job, in seconds; NaN before its end.
  [[nodiscard]] const std::vector<double>& ends() const { return ends_; }

 private:
  struct Active {
    std::uint32_t job;
    double rest;  // slot-seconds
    double weight;
  };

  double slots_;
  double time_ = 0;
  double virtual_time_ = 0;
  std::vector<Active> active_;
  std::vector<double> ends_;
};

}  // namespace somnus::harness
