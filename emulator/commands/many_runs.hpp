// What carries out the runs of a command that has many: the ranks of the MPI job that it was
// started as, or this process' cores.
#pragma once

#include <functional>
#include <memory>

#include "emulator/commands/command.hpp"
#include "experiment/run_executor.hpp"

namespace somnus {

/// Makes the executor that simulates, once there is something to do.
using MakeExecutor = std::function<std::unique_ptr<RunExecutor>()>;

struct ManyRuns {
  int jobs = 0;              // at once on this machine's cores; 0: one a core
  bool one_of_many = false;  // the same command is started elsewhere, and does another share
};

/// Calls does() with what makes the executor, on rank 0 or the only process; returns its exit code.
[[nodiscard]] int with_many_runs(const ManyRuns& how, const CommandLine& line,
                                 const std::function<int(const MakeExecutor&)>& does);

}  // namespace somnus
