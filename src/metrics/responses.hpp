// Response times, slowdowns and progress rates: the figures of a summary that are over jobs.
#pragma once

#include <vector>

#include "log/schema.hpp"
#include "metrics/summary.hpp"

namespace somnus {

/// Sets them, from response_mean_s to wide_slowdown_mean, to those of these jobs. Of jobs that have
/// not finished there is none.
void measure_responses(const std::vector<JobRow>& jobs, Summary& summary);

}  // namespace somnus
