// What asks us to end, as a flag that loops look at: Ctrl-C, kill, a terminal or an mpirun that is
// gone.
#pragma once

#include <atomic>
#include <system_error>

namespace somnus {

/// The number of the signal that asked us to end; 0 while none has. Who asks for the flag looks at
/// it from then on.
[[nodiscard]] std::atomic<int>& stop_flag();
/// How many signals have asked, SIGUSR1 aside.
[[nodiscard]] int times_asked_to_stop();

/// SIGINT, SIGTERM, SIGHUP (unless it is ignored, as under nohup) and SIGUSR1 (which mpirun passes
/// on) set stop_flag(). While nobody looks at that, as when a config or a log is read, the first
/// signal but SIGUSR1 ends the process at once, exit code 3; else the second does, or a rank's
/// fourth, as mpirun passes one on several times. The launcher, which has others to end, sees to
/// that itself. SIGPIPE and SIGXFSZ are ignored, so that a full disk is an error and not a death.
void handle_signals();

/// Whether that is the error of a write to standard output, of which nobody wants to read more: a
/// pipe into `head`.
[[nodiscard]] bool nobody_reads_output(const std::system_error& error);
/// From now on further signals are counted only: there is somebody to be ended first.
void count_signals_only();

/// To be called by a rank when it begins. Sets stop_flag() to stop_for_starter when mpirun, or the
/// program that started that, has ended; ten seconds later this process ends at once. Asked
/// to end before the ranks have met, it waits for that for two seconds.
void watch_starter();
/// MPI has started all ranks.
void note_that_ranks_have_met();

}  // namespace somnus
