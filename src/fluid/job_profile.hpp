// A job's performance-allocation curve by simulating it alone on more and more slots (policies.md
// 5.1).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "fluid/ernest_fit.hpp"
#include "model/workload.hpp"
#include "warmup/warmup.hpp"

namespace somnus {

struct JobProfile {
  std::vector<TimeOnSlots> times;  // on 1, 2, 4, ... slots, and on as many as it can use
  std::array<double, 4> curve{};   // fitted
  double error = 0;                // largest of the curve's progress, as a share of the simulated
};

/// On normal nodes, without any delay. Only slots count. None for a job that takes no time.
[[nodiscard]] std::optional<JobProfile> profile_of(const Catalogue& catalogue, const Truth& truth,
                                                   JobId job, const Warmup& warmup);

}  // namespace somnus
