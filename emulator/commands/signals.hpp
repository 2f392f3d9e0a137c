// Ctrl-C and kill, as a flag that loops look at.
#pragma once

#include <atomic>

namespace somnus {

/// The number of the signal that asked us to end; 0 while none has.
[[nodiscard]] std::atomic<int>& stop_flag();

/// SIGINT, SIGTERM and SIGUSR1 (which mpirun passes on) set stop_flag(); the fourth ends the
/// process at once (exit code 3).
/// SIGPIPE and SIGXFSZ are ignored, so that a full disk is an error and not a death.
void handle_signals();

}  // namespace somnus
