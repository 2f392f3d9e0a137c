// What is printed when a run has ended.
#pragma once

#include <span>
#include <string>

#include "emulator/commands/commands.hpp"
#include "metrics/summary.hpp"

namespace somnus {

/// The closing tables on stdout, as text or JSON; nothing if quiet.
void print_summaries(const CommonOptions& options, std::span<const Summary> summaries);

/// Every job and task submitted is finished, failed or unfinished; else throws Bug.
void require_conserved(const Summary& summary);

/// Reads the log that has just been written, and prints its closing table. Without a log: nothing.
void close_with_table(const CommonOptions& options, const std::string& log);

}  // namespace somnus
