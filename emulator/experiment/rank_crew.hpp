// An experiment over the ranks of an MPI job, one run at a time on each. Rank 0 carries out runs,
// too, beside telling the others what to do.
#pragma once

#include <atomic>
#include <memory>

#include "emulator/experiment/crew.hpp"
#include "runtime/roll.hpp"

namespace somnus {

/// Rank 0's; the roll has been called and must outlive it. Ends with WorldError if a rank is lost;
/// what was carried out until then has been told.
[[nodiscard]] std::unique_ptr<Crew> rank_crew(Roll& roll, std::atomic<int>* stop);

/// Any other rank, until rank 0 sends it home. Throws WorldError if rank 0 is lost.
/// stop: not 0 ends what it is at.
void run_errands(Wire& wire, const std::atomic<int>* stop);

}  // namespace somnus
