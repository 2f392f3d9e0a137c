// How long a job takes at the least.
#pragma once

#include "model/workload.hpp"

namespace somnus {

/// On as many slots as it likes, warm: the longest way through its stages [s]. None of them may be
/// divisible.
[[nodiscard]] double least_time(const JobSpec& job);

}  // namespace somnus
