// A Spark job as the UWFQ paper ran it, a chain of three stages (policies: 3.9):
//
//     load      one task           reads the input's description; takes a slot while it waits
//     compute   divisible work     cut into tasks by the partitioner
//     collect   one task           gathers the result
//
// Alone on M free slots it takes load + work / M + collect.
#pragma once

#include <vector>

#include "model/workload.hpp"

namespace somnus {

struct SparkChain {
  double load_s = 0.1;
  double work_s = 0;         // slot-seconds; of 0 the compute stage is one empty task
  std::vector<double> skew;  // of the work; empty: even
  double collect_s = 0.02;

  [[nodiscard]] double slot_time() const { return load_s + work_s + collect_s; }
};

/// Three more stages of the job, which wait for none of its others. The job's stages must be
/// numbered 0, 1, ...
void add_chain(JobSpec& job, const SparkChain& chain);

}  // namespace somnus
