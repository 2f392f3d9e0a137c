// When jobs would end in the fluids (src/fluid), which needs their submits and slot-times alone: so
// it can be worked out beside a run.
#pragma once

#include <cstdint>
#include <vector>

#include "fluid/gps.hpp"
#include "fluid/two_level.hpp"
#include "log/log.hpp"
#include "model/cluster.hpp"

namespace somnus {

class FluidEnds {
 public:
  /// Takes what it needs of jobs that have a submit; none where the cluster has no slots to share.
  FluidEnds(const Cluster& cluster, const LogTables& tables);

  /// Throws nothing, and touches nothing but this.
  void work_out();
  /// Sets gps_finish and ujf_finish of these jobs.
  void add_to(LogTables& tables) const;

 private:
  double slots_;
  std::vector<std::uint32_t> rows_;  // of /jobs, in order of submit
  std::vector<FluidJob> jobs_;
  std::vector<UserJob> jobs_of_users_;
  std::vector<double> user_weights_;
  std::vector<double> gps_;
  std::vector<double> ujf_;
};

}  // namespace somnus
