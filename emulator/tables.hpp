// The log's tables as they stand before the run: everything that does not depend on the scheduler.
#pragma once

#include <string>

#include "config/settings.hpp"
#include "model/workload.hpp"
#include "record/log.hpp"
#include "record/writer.hpp"

namespace somnus {

/// Jobs with their references (alone, GPS finish, critical path), stages, nodes, users, names.
[[nodiscard]] LogTables initial_tables(const Settings& settings, const Workload& workload,
                                       int worker_ranks);

/// gps_finish and ujf_finish of all jobs that have a submit, which those that follow others get
/// only while the run goes on.
void run_fluids(const Cluster& cluster, LogTables& tables);
/// Once more at the end, if any job follows another.
void rerun_fluids(const Cluster& cluster, LogTables& tables);

/// mode: "run" or "simulate".
[[nodiscard]] LogHeader log_header(const Settings& settings, const Workload& workload,
                                   std::string mode, int ranks);

[[nodiscard]] LogOptions log_options_of(const Settings& settings);

/// As set, else a thousandth of the span of arrivals, at least a second.
[[nodiscard]] Duration sample_interval(const Settings& settings, const Workload& workload);

}  // namespace somnus
