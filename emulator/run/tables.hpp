// The log's tables as they stand before the run: everything that does not depend on the scheduler.
#pragma once

#include <string>

#include "config/settings.hpp"
#include "model/workload.hpp"
#include "record/log.hpp"
#include "record/writer.hpp"

namespace somnus {

/// Jobs with their references (alone, critical path, ends in the fluids), stages, nodes, users,
/// names. Where a job follows another, no end in a fluid is known yet.
[[nodiscard]] LogTables initial_tables(const Settings& settings, const Workload& workload,
                                       int worker_ranks);

/// At the end, if any job follows another: gps_finish and ujf_finish of all jobs that came.
/// Followers get their submit only while the run goes on, and share the fluid with everybody else.
void run_fluids_of_followers(const Cluster& cluster, LogTables& tables);

/// mode: "run" or "simulate".
[[nodiscard]] LogHeader log_header(const Settings& settings, const Workload& workload,
                                   std::string mode, int ranks);

[[nodiscard]] LogOptions log_options_of(const Settings& settings, bool replace);

/// As set, else a thousandth of the span of arrivals, at least a second.
[[nodiscard]] Duration sample_interval(const Settings& settings, const Workload& workload);
/// So many at that interval, before it grows: far more of one that was asked for.
[[nodiscard]] std::uint64_t even_samples(const Settings& settings);

}  // namespace somnus
