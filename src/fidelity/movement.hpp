// How much results move with the lateness of an emulation's ranks, and with next to none.
#pragma once

#include <span>
#include <vector>

#include "fidelity/comparison.hpp"

namespace somnus {

/// Shares of what the simulation says where nothing is late.
struct Movement {
  Figures of{};         // its units do not count; 0 where there is no figure
  double jobs_p95 = 0;  // p95 of what each job's response time moves
};

/// From where nothing is late to the mean of simulations that are; at least one of these.
[[nodiscard]] Movement movement(JobRows exact, std::span<const std::vector<JobRow>> late);
/// The most that any two of these simulations differ, and that where nothing is late. Given those
/// of next to no lateness it is what the scheduler makes of any disturbance.
[[nodiscard]] Movement sensitivity(JobRows exact, std::span<const std::vector<JobRow>> disturbed);
/// No figure moves by more than negligible_difference or the scheduler's sensitivity.
[[nodiscard]] bool is_within(const Movement& movement, const Movement& sensitivity);

}  // namespace somnus
