// Jobs that were read from lines of a trace, on their way to a workload: what readers of
// one job a line, or of rows that are gathered into jobs, have in common.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/workload.hpp"
#include "text/mistake_collector.hpp"

namespace somnus {

/// Where a job's submit and name stand, for messages, and the job. Either it has its stages, or it
/// will get one of so many equal tasks, for which there is no room made yet.
struct LineJob {
  int line = 0;
  int column = 0;
  int name_column = 0;
  JobSpec job;
  std::uint64_t tasks = 0;  // 0: it has its stages
  double duration_s = 0;    // of each
  bool gang = false;        // they start together
  double held_s = 0;        // from the file's submit to the job's, when it could be scheduled
};

/// Of millions, those that have become a workload's give back their room.
using LineJobs = std::deque<LineJob>;

/// The first so many by submit, ties as they stand; 0: all.
void keep_first(LineJobs& jobs, std::size_t most);
/// The same while they are read, now and then, so that others take no room; `before` comes first.
void keep_first_soon(LineJobs& jobs, std::size_t most, const std::function<void()>& before = {});

/// Names that an earlier one has. `key` is what the file calls a name.
void report_doubles(const LineJobs& jobs, const std::string& key, MistakeCollector& report,
                    const std::string& hint = "");

/// The last piece of a file's path, and in brackets what there is to say of it:
/// "log.swf (128 processors; broken jobs left out: 14)".
[[nodiscard]] std::string workload_name(const std::string& file,
                                        const std::vector<std::string>& notes = {});

/// Whether a workload may have so many tasks; else that is reported. To be asked before room is
/// made for them: a short line can say that there are millions.
[[nodiscard]] bool check_task_count(std::uint64_t tasks, MistakeCollector& report);

/// A job's estimate [slot-seconds] where it had asked for so long [s] on each of its slots: at most
/// what a whole workload may take; 0, which is none, where it had not.
[[nodiscard]] double estimate_from(double requested_s, std::uint64_t slots);

/// The limit [s] of a job that had asked for so long: at most the longest that a workload can say,
/// which no task takes longer than; those that are cut to it are counted. 0, which is none, where
/// it had not asked.
[[nodiscard]] double given_limit(double requested_s, std::size_t& cut);
/// For the workload's name.
void note_cut_limits(std::size_t cut, std::vector<std::string>& notes);

/// The jobs with submits [s] shifted so that the first is 0, in order of submit, ties as they
/// stand; or what was reported before, or else all that is wrong with them. `hint` is for a
/// workload that is too long.
[[nodiscard]] Checked<WorkloadSpec> workload_of(LineJobs jobs, WorkloadSpec header,
                                                MistakeCollector report,
                                                const std::string& hint = "");

}  // namespace somnus
