// Rigid jobs hold all their CPUs at once, from their start to their end, as those of a batch system
// such as Slurm do. Here a CPU of such a job is a task of its own, which starts and ends by itself.
// Commands that show results of such jobs say so.
#pragma once

#include <cstdint>
#include <string>

namespace somnus {

/// How many of so many jobs are wider than one CPU, and what that does to results. Empty: none is.
[[nodiscard]] std::string note_on_rigid_jobs(std::uint64_t rigid, std::uint64_t jobs);

}  // namespace somnus
