// How large workloads can be, and how fast runs. Readers refuse what is beyond, before they make
// room for it.
#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace somnus {

/// Of a workload. A run keeps some dozen bytes of each: a few GB.
inline constexpr std::uint64_t most_tasks = 100'000'000;
inline constexpr std::uint32_t most_node = 4294967294;  // ids below the invalid one
inline constexpr double most_slot_time_s = 9e9;         // of a job: the sum fits int64 nanoseconds

// Beyond that, slot-time / weight would leave the range in which fluids are exact to 1e-9.
inline constexpr double least_weight = 0.001;
inline constexpr double most_weight = 1000;
/// Cold over warm. The longest task takes 263 years then, of 292 that a Duration holds.
inline constexpr double most_warmup = 1000;

/// How many times as long tasks take: in a group of nodes, on one that is slow, as a straggler.
inline constexpr double most_slowdown = 1000;
/// The same of a node, which may be slow in a slow group.
inline constexpr double most_slowdown_of_node = most_slowdown * most_slowdown;

/// Emulated over real time. A run of ten seconds would be at the end of what a Time holds.
inline constexpr double most_speed = 1e9;

/// Of a span, such as a task's duration.
[[nodiscard]] constexpr bool is_workload_time(double seconds) {
  return seconds >= 0 && seconds <= longest_exact_seconds;
}
[[nodiscard]] constexpr bool is_submit(double seconds) {
  return seconds >= 0 && seconds <= last_given_seconds;
}
/// As Slurm's sbatch takes it.
inline constexpr double most_nice = 2147483645;
[[nodiscard]] constexpr bool is_nice(double nice) {
  return nice >= -most_nice && nice <= most_nice &&
         nice == static_cast<double>(static_cast<std::int64_t>(nice));
}
[[nodiscard]] constexpr bool is_weight(double weight) {
  return weight >= least_weight && weight <= most_weight;
}
/// 0: the config's.
[[nodiscard]] constexpr bool is_warmup(double warmup) {
  return warmup == 0 || (warmup >= 1 && warmup <= most_warmup);
}

}  // namespace somnus
