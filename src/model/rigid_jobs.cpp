#include "model/rigid_jobs.hpp"

#include <fmt/format.h>

namespace somnus {

// Measured with recordings of 980 jobs on 64 CPUs under a real Slurm 22.05.
std::string note_on_rigid_jobs(std::uint64_t rigid, std::uint64_t jobs) {
  if (rigid == 0) return {};
  return fmt::format(
      "{} of {} jobs are RIGID and run here as independent tasks: response times are too low (18 "
      "to 73 % against a real Slurm); read swf and sacct without rigid = false, csv with gangs = "
      "true, and their tasks start together",
      rigid, jobs);
}

}  // namespace somnus
