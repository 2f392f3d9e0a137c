// An experiment over the ranks of an MPI job, one run at a time on each. Rank 0 gives out the runs
// and carries out some itself.
#pragma once

#include <atomic>
#include <memory>

#include "experiment/run_executor.hpp"
#include "runtime/membership.hpp"

namespace somnus {

/// Rank 0's; the membership has been gathered and must outlive it. Ends with WorldError if a rank
/// is lost; the results until then have been reported.
[[nodiscard]] std::unique_ptr<RunExecutor> rank_executor(Membership& membership,
                                                         std::atomic<int>* stop);

/// Any other rank, until rank 0 lets it end. Throws WorldError if rank 0 is lost.
/// stop: not 0 ends what it is at.
void serve_work_items(Wire& wire, const std::atomic<int>* stop);

}  // namespace somnus
