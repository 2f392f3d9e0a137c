// A workload cut, drawn anew and scaled, whatever format or generator it comes from: keys of
// [workload]. They do so in this order.
#pragma once

#include <cstdint>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "model/cluster.hpp"
#include "model/limits.hpp"
#include "model/workload.hpp"

namespace somnus {

struct WorkloadShape {
  double from_s = 0;
  double until_s = 0;
  std::uint32_t jobs = 0;
  std::uint32_t resample = 0;
  double scale_tasks = 1;
  double load = 0;

  static constexpr auto fields() {
    using S = WorkloadShape;
    return in_order(
        field("from_s", &S::from_s, "s",
              "leaves out jobs submitted before that; it becomes the workload's second 0",
              Range{.low = 0, .high = last_given_seconds}),
        field("until_s", &S::until_s, "s",
              "leaves out jobs submitted from then on; 0: none; those after another job come or go "
              "with that one",
              Range{.low = 0, .high = last_given_seconds}),
        field("jobs", &S::jobs, "1",
              "keeps the first so many of those; 0: all (a generator with jobs of its own makes so "
              "many)",
              Range{.low = 0, .high = 1e9}),
        field("resample", &S::resample, "1",
              "draws as many jobs anew by the seed, with the time before each, in blocks of so "
              "many that follow each other; 0: takes them as they are",
              Range{.low = 0, .high = 1e9}),
        field("scale_tasks", &S::scale_tasks, "1",
              "a stage of n tasks gets about that times n, at least one, with durations spread "
              "over the stage's as before",
              Range{.low = 0, .high = 1e4, .open = true}),
        field("load", &S::load, "1",
              "scales the times between submits, so that what arrives is that share of what the "
              "cluster can do, of the resource asked for most; 0: as they are",
              Range{.low = 0, .high = 100}));
  }
  friend bool operator==(const WorkloadShape&, const WorkloadShape&) = default;
};

/// The seed is that of `resample`. The user's mistakes, at `where`: no job is left, or jobs that
/// follow each other, or have a table of progress, or all come at once, can't be so treated.
[[nodiscard]] Checked<WorkloadSpec> shaped(WorkloadSpec spec, const WorkloadShape& shape,
                                           const Cluster& cluster, std::uint64_t seed,
                                           const SourceLocation& where);

}  // namespace somnus
