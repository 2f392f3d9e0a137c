// A log as a timeline: nodes as processes with slots as threads, an attempt a span; jobs
// as spans of a process of their own, from which an arrow leads to the first start; the cluster's
// counters.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "export/export_progress.hpp"
#include "log/log.hpp"
#include "output/file.hpp"

namespace somnus {

/// What of a log is drawn: what reaches into that time, of these jobs.
struct TraceCut {
  double from_s = -std::numeric_limits<double>::infinity();
  double until_s = std::numeric_limits<double>::infinity();
  std::vector<bool> jobs;  // by id; empty: all

  [[nodiscard]] bool shows(std::uint32_t job) const { return jobs.empty() || jobs[job]; }
  [[nodiscard]] bool shows(double begin_s, double end_s) const {
    return end_s >= from_s && begin_s <= until_s;
  }
};

struct TraceCounts {
  std::uint64_t attempts = 0;       // spans
  std::uint64_t never_started = 0;  // instants: attempts that ended without a start
  std::uint64_t jobs = 0;
  std::uint64_t samples = 0;
};

/// Of a log whose rows name jobs, stages and nodes that are there. Streamed: beside the log there
/// is no more in memory than some bytes a row. Throws WorldError.
TraceCounts write_perfetto(const Log& log, const TraceCut& cut, OutputFile& out,
                           ExportProgress& progress);

}  // namespace somnus
