// Workloads for other people's programs: the one place where the names of formats meet their
// writers. What a format can't say at all is a mistake; what it has no field for is left out, with
// a warning.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "model/workload.hpp"

namespace somnus {

struct Exported {
  std::string text;
  std::vector<std::string> lost;  // what of this workload is not in it, in words
};

struct Export {
  std::string_view name;
  std::string_view summary;  // one sentence without a full stop
  /// Mistakes name each job that the format can't say, and `file`, which the workload is from.
  Checked<Exported> (*write)(const WorkloadSpec& workload, const std::string& file);
};

[[nodiscard]] std::span<const Export> exports();

/// Of a valid workload as `format`. The user's mistakes: an unknown format, jobs that it can't say.
[[nodiscard]] Checked<Exported> export_workload(const WorkloadSpec& workload,
                                                const std::string& format, const std::string& file);

/// One job a line: submit n mean d_1 ... d_n, seconds. Only jobs of one stage, whose tasks are
/// known.
[[nodiscard]] Checked<Exported> export_tr(const WorkloadSpec& workload, const std::string& file);

/// One task a row, under a first row that names the columns:
///     job, user, queue, submit [s], stage, parents, duration [s]
/// and where they are not the default app, weight and estimate [slot-s], and for each kind of
/// demand demand.KIND. Parents have blanks between. Not for divisible stages and jobs that follow
/// others.
[[nodiscard]] Checked<Exported> export_csv(const WorkloadSpec& workload, const std::string& file);

/// The Standard Workload Format, one job a line: as many processors as its widest stage has tasks,
/// and the time that it takes on so many as it likes, which for one stage is that of the longest
/// task. Users, queues and apps are numbers, those of user_3, queue_1 and app_7 or by first job.
/// Jobs that follow others do so. Not for divisible stages.
[[nodiscard]] Checked<Exported> export_swf(const WorkloadSpec& workload, const std::string& file);

}  // namespace somnus
