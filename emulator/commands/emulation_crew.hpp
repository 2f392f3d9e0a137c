// An experiment's runs in real time, one after another, each under an mpirun of its own.
#pragma once

#include <filesystem>
#include <memory>

#include "emulator/experiment/crew.hpp"
#include "emulator/experiment/share.hpp"

namespace somnus {

/// `folder`: of the results, where a run's config and log stand while it goes on, by names of this
/// share alone. ranks: of each; 0: chosen for this machine.
[[nodiscard]] std::unique_ptr<Crew> emulation_crew(std::filesystem::path folder, const Share& share,
                                                   int ranks);

}  // namespace somnus
