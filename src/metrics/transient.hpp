// The transient of a run that began with an empty cluster: where it ends, and whether it ends at
// all.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "config/truncation.hpp"
#include "log/schema.hpp"

namespace somnus {

/// How many values at its beginning a series should do without: MSER-5 (White, "An effective
/// truncation heuristic for bias reduction in simulation output", Simulation 69, 1997; Spratt
/// 1998). Of k batches of five values with means Z, it cuts the d <= k / 2 batches for which sum
/// over j > d of (Z_j - their mean)^2 / (k - d)^2 is least: what is left has the narrowest
/// interval. Of equal ones the first.
[[nodiscard]] std::size_t mser_5(std::span<const double> series);

/// The jobs that count for response times and slowdowns, in the order of their submission. Of
/// MSER-5 the series is the response times of the jobs that finished.
[[nodiscard]] std::vector<JobRow> without_transient(const std::vector<JobRow>& jobs,
                                                    const Truncation& truncation);
/// The same as places in `jobs`.
[[nodiscard]] std::vector<std::size_t> places_without_transient(const std::vector<JobRow>& jobs,
                                                                const Truncation& truncation);

/// Jobs in the system, submitted and not ended, while jobs come: from the first submission to the
/// last. NaN if all come at once. Those that failed are not counted.
struct JobsInSystem {
  double mean = 0;
  double growth = 0;  // mean of the last third of that time, less that of the second
};
[[nodiscard]] JobsInSystem jobs_in_system(const std::vector<JobRow>& jobs);

}  // namespace somnus
