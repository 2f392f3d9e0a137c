// How a divisible stage becomes tasks (UWFQ, section IV; policies.md 3.7).
//
// A stage of `work` W [slot-seconds] reads an input whose equal shares may cost unequal work, given
// by `skew`. A partitioner decides in how many parts of equal input size it is cut:
//
//     by size       N = number of slots                     skew stays inside the parts
//     by run time   N = max(ceil(T / ATR), minimum)         T: estimated work, ATR: advisory task
//                                                           run time; skewed shares are split too
//
// Starting a task costs: each part takes `launch_overhead_s` more, so that too small an ATR shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace somnus {

/// Part p of n equal parts of the input: its durations in seconds, p = 0 .. n-1, which add up to
/// `work`. `skew`: relative work of equal shares of the input; empty: even.
[[nodiscard]] std::vector<double> cut(double work, const std::vector<double>& skew,
                                      std::uint64_t parts);

struct Partitioning {
  /// By size, into that many, at no cost.
  Partitioning(std::uint64_t parts) : minimum(parts) {}  // NOLINT(google-explicit-constructor)

  /// Number of parts for a stage of the job at that place (in order of submit). At least 1.
  [[nodiscard]] std::uint64_t parts(std::size_t job, double work) const;

  std::uint64_t minimum = 1;
  double advisory_task_runtime_s = 0;    // 0: by size, the minimum is all
  double launch_overhead_s = 0;          // each part takes that much longer
  std::vector<double> estimate_factors;  // by job: estimated / true work; empty: the truth
};

}  // namespace somnus
