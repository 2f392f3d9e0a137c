// An experiment's runs in real time, one after another, each under an mpirun of its own.
#pragma once

#include <filesystem>
#include <memory>

#include "experiment/run_executor.hpp"

namespace somnus {

/// `folder`: of the results, in which a run's config and log stand while it goes on, in a folder of
/// their own. ranks: of each; 0: chosen for this machine.
[[nodiscard]] std::unique_ptr<RunExecutor> emulation_executor(const std::filesystem::path& folder,
                                                              int ranks);

}  // namespace somnus
