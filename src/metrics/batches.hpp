// Batch means: one run's jobs in batches, each with figures of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "config/truncation.hpp"
#include "log/log.hpp"
#include "metrics/summary.hpp"

namespace somnus {

/// A mean of one job says nothing of a batch.
inline constexpr std::size_t least_jobs_of_batch = 2;

/// The jobs that are left without the transient, in the order of their submission, in so many
/// batches of as many jobs each; the first jobs are left out as well, as many as are too many for
/// that. Of each, the figures over jobs count (metrics/figure.hpp), and no others. Of an open
/// workload, under any schedulers, batches hold the same jobs, if the truncation is a number of
/// jobs. A mistake: fewer than least_jobs_of_batch a batch.
[[nodiscard]] Checked<std::vector<Summary>> batches_of(const Log& log, const Truncation& truncation,
                                                       std::uint32_t batches);

}  // namespace somnus
