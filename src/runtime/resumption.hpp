// What a resumed run starts with, beside the scheduler and the estimator, which have replayed its
// events.
//
// The nodes that are there know nothing of what was before. So the scheduler gets events in one
// round, at the time at which the clock had stopped: all nodes are lost with what ran there, and
// those that are there have returned, empty. Then time goes on.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "runtime/arrivals.hpp"
#include "runtime/job_managers.hpp"
#include "runtime/suspended_work.hpp"

namespace somnus {

struct Resumption {
  Time at;
  std::uint32_t rounds = 0;   // so far
  std::uint64_t samples = 0;  // so far
  Arrivals arrivals;          // of which some are over
  JobManagers managers;
  SuspendedWork suspended;
  std::vector<bool> absent;                       // by node: lost, or given up, when time goes on
  std::vector<std::pair<NodeId, StageId>> asked;  // probes and reservations without an answer
};

}  // namespace somnus
