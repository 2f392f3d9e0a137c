// Workloads in other people's formats. Every reader takes plain or gzip files, reports all mistakes
// at once, and shifts submits so that the first job comes at 0 s.
#pragma once

#include <filesystem>

#include "base/error.hpp"
#include "model/workload.hpp"
#include "workload/text_file.hpp"

namespace somnus {

/// The .tr format of the Sparrow, Hawk and Eagle simulators, one job a line, all in seconds:
/// submit, number of tasks n, mean task duration, d_1 ... d_n. The mean is checked to be a number
/// and otherwise ignored. Jobs are named "0", "1", ... by line and put in order of submit.
[[nodiscard]] Checked<WorkloadSpec> read_tr(const std::filesystem::path& path);
[[nodiscard]] Checked<WorkloadSpec> parse_tr(const TextFile& file);

struct GoogleUwfqOptions {
  double scale = 20;  // work is multiplied by it; the paper's 20 (homo) and 2 (hetero)
  double filter = 5;  // jobs with at least that many times the median work are left out; 0: none is
};

/// The UWFQ paper's windows of the Google trace (macro_benchmarks_*.csv, one row a task). A
/// workflow is a job of one stage. A task that asked for a share a of the largest machine for r
/// seconds becomes a one-slot task of r * a * scale seconds (policies: 3.9), so that a job's
/// slot-time is the paper's core-seconds.
[[nodiscard]] Checked<WorkloadSpec> read_google_uwfq(const std::filesystem::path& path,
                                                     const GoogleUwfqOptions& options = {});
[[nodiscard]] Checked<WorkloadSpec> parse_google_uwfq(const TextFile& file,
                                                      const GoogleUwfqOptions& options = {});

}  // namespace somnus
