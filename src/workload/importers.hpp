// Workloads in other people's formats. Every reader takes plain or gzip files, reports all mistakes
// at once, and shifts submits so that the first job comes at 0 s.
#pragma once

#include <filesystem>
#include <tuple>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "model/workload.hpp"
#include "workload/text_file.hpp"

namespace somnus {

/// The .tr format of the Sparrow, Hawk and Eagle simulators, one job a line, all in seconds:
/// submit, number of tasks n, mean task duration, d_1 ... d_n. The mean is checked to be a number
/// and otherwise ignored. Jobs are named "0", "1", ... by line and put in order of submit.
[[nodiscard]] Checked<WorkloadSpec> read_tr(const std::filesystem::path& path);
[[nodiscard]] Checked<WorkloadSpec> parse_tr(const TextFile& file);

struct CarbyneOptions {
  double interarrival_s = 0;

  static constexpr auto fields() {
    return std::tuple{field("interarrival_s", &CarbyneOptions::interarrival_s, "s",
                            "between the submits of two DAGs whose headers give none",
                            Range{.low = 0, .high = 1e5})};
  }
};

/// The query DAGs of the Carbyne simulator, blank separated; '#' begins a comment between DAGs:
///     stages id [arrival [queue]]
///     name duration r1 r2 r3 r4 r5 r6 tasks       one line a stage; s, shares of a machine
///     edges
///     parent child kind                           one line an edge; the kind is not looked at
/// A DAG is a job named by its id. Demands are of cpu, mem, io1, io2, io3 and io4. Where two stages
/// of a DAG have one name (BigBench's query 7 in queries_bb), edges mean the last; the other stands
/// alone.
[[nodiscard]] Checked<WorkloadSpec> read_carbyne(const std::filesystem::path& path,
                                                 const CarbyneOptions& options = {});
[[nodiscard]] Checked<WorkloadSpec> parse_carbyne(const TextFile& file,
                                                  const CarbyneOptions& options = {});

struct GoogleUwfqOptions {
  double scale = 20;
  double filter = 5;
  bool chain = true;
  double load_s = 0.1;
  double collect_s = 0.02;
  bool name_users = true;
  double estimate_factor = 1;

  static constexpr auto fields() {
    using O = GoogleUwfqOptions;
    constexpr Range time{.low = 0, .high = 1e5};
    return std::tuple{
        field("scale", &O::scale, "1",
              "core-seconds a core-second of the trace; the paper's 20, 2 for hetero",
              Range{.low = 1e-6, .high = 1e6}),
        field("filter", &O::filter, "1",
              "jobs of that many times the median work are left out; 0: none is; the paper's text "
              "says 10, its runs had 5",
              Range{.low = 0, .high = 1e9}),
        field("chain", &O::chain, "",
              "true: a row is a chain load, divisible work, collect; false: a task"),
        field("load_s", &O::load_s, "s", "the one task before each chain's work", time),
        field("collect_s", &O::collect_s, "s", "the one task after it", time),
        field("name_users", &O::name_users, "",
              "true: users are user_1, user_2, ... by first row; false: hashes"),
        field("estimate_factor", &O::estimate_factor, "1",
              "a job's estimate is that many times its slot-time; 1: none is given; what the "
              "authors' estimator said came to about 3.6",
              Range{.low = 1e-6, .high = 1e3})};
  }
};

/// The UWFQ paper's windows of the Google trace (macro_benchmarks_*.csv, one row a task). A
/// workflow is a job. A row that asked for a share a of the largest machine for r seconds is a
/// sub-job of r * a * scale core-seconds (policies: 3.9). With `chain` it becomes what the paper's
/// Spark ran, a SparkChain of that much work, beside the job's others; else a one-slot task of that
/// many seconds in the job's one stage. Users are user_1, user_2, ... in the order of their first
/// rows, as the authors number them: also users whose jobs are all left out have a number.
[[nodiscard]] Checked<WorkloadSpec> read_google_uwfq(const std::filesystem::path& path,
                                                     const GoogleUwfqOptions& options = {});
[[nodiscard]] Checked<WorkloadSpec> parse_google_uwfq(const TextFile& file,
                                                      const GoogleUwfqOptions& options = {});

}  // namespace somnus
