// What a policy means a job to have. Logs have it; nothing goes by it.
#pragma once

namespace somnus {

/// Shares of the cluster: of the resource of which the job has most.
struct Target {
  double entitled = 0;  // by its fair share
  double target = 0;    // at present; what it has beyond that is lent, below it is owed
};

}  // namespace somnus
