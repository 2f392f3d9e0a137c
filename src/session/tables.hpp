// What a run starts from: the log's tables with everything that does not depend on the scheduler,
// and what the settings say to the log's writer and to the event loop.
#pragma once

#include <atomic>
#include <string>

#include "config/settings.hpp"
#include "log/log.hpp"
#include "log/writer.hpp"
#include "model/workload.hpp"
#include "runtime/loop.hpp"

namespace somnus {

/// Ends of jobs in the fluids are for the log; without one nobody asks for them, and a simulation
/// works them out beside itself (fluid_ends.hpp).
enum class Fluids { run, leave_out };

/// Jobs with their references (alone, critical path, ends in the fluids), stages, nodes, users,
/// names. Where a job follows another, no end in a fluid is known yet.
[[nodiscard]] LogTables initial_tables(const Settings& settings, const Workload& workload,
                                       int worker_ranks, Fluids fluids = Fluids::run);

[[nodiscard]] bool some_job_follows(const LogTables& tables);

/// At the end, if any job follows another: gps_finish and ujf_finish of all jobs that came.
/// Followers get their submit only while the run goes on, and share the fluid with everybody else.
void run_fluids_of_followers(const Cluster& cluster, LogTables& tables);

/// mode: "run" or "simulate".
[[nodiscard]] LogHeader log_header(const Settings& settings, const Workload& workload,
                                   std::string mode, int ranks);

[[nodiscard]] LogOptions log_options_of(const Settings& settings, bool replace);

/// When the run ends at the latest, or never.
[[nodiscard]] Time end_of(const Settings& settings);

/// What to say of a run that ended so although the config does not end it: that emulated time has
/// come to its end. Empty of any other.
[[nodiscard]] std::string note_on_end_of_time(Ending ending, const Settings& settings,
                                              const JobTable& jobs);

/// Samples come as often as set, else a thousand times in the span of arrivals, at least a second
/// apart; so many at that interval before it grows, far more of one that was asked for.
[[nodiscard]] LoopOptions loop_options_of(const Settings& settings, const Workload& workload,
                                          const std::atomic<int>* stop);

}  // namespace somnus
