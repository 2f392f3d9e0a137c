// From settings to the workload: read or generated, cut, and held against cluster and scheduler.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/settings.hpp"
#include "model/workload.hpp"

namespace somnus {

/// Equal for settings that make the same workload; the scheduler may yet fit one and not another.
[[nodiscard]] std::string workload_key(const Settings& settings);
/// Why a workload that was made for other settings of the same key does not fit these.
[[nodiscard]] Mistakes objections_to_shared(const Workload& workload, const Settings& settings);
/// What a user may not expect of a scheduler with that workload: a partitioner that has nothing to
/// cut, estimates that no job has, an order that is not what its name says where resources count.
[[nodiscard]] std::vector<std::string> notes_on_scheduler(const Settings& settings,
                                                          const Workload& workload);
/// What results must not be read without: rigid jobs that are none here, a load above 1. A summary
/// of the log says them, too.
[[nodiscard]] std::vector<std::string> notes_on_workload(const Settings& settings,
                                                         const Workload& workload);
/// What its tasks demand that does not count, and that the config does not say to ignore; empty:
/// there is nothing. Logs have only what counts, so a summary cannot say it.
[[nodiscard]] std::string note_on_demands(const Workload& workload);

/// What there is to run, as users write it; nothing is held against the cluster yet.
[[nodiscard]] Checked<WorkloadSpec> workload_spec_of(const Settings& settings);
/// The same flattened: its divisible stages are cut, nothing else is held against the cluster.
[[nodiscard]] Checked<Workload> flattened(const Settings& settings, const WorkloadSpec& spec);
/// Reads or generates it, and checks that every task fits the cluster and the scheduler the
/// workload.
[[nodiscard]] Checked<Workload> workload_of(const Settings& settings);
/// The same of a spec, which is all or a part of workload_spec_of() them.
[[nodiscard]] Checked<Workload> workload_of(const Settings& settings, WorkloadSpec spec);
/// The files that a run of these settings reads: config, workload, what its generator draws from.
[[nodiscard]] std::vector<std::filesystem::path> files_read_by(const Settings& settings);
/// Whether the same settings may make another workload later, as they name a file, or a generator
/// that reads one.
[[nodiscard]] bool workload_may_change(const Settings& settings);

}  // namespace somnus
