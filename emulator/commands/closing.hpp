// What is printed when a run has ended.
#pragma once

#include <span>

#include "emulator/commands/commands.hpp"
#include "log/log.hpp"
#include "metrics/summary.hpp"

namespace somnus {

/// The closing tables on stdout, as text or JSON; nothing if quiet.
void print_summaries(const CommonOptions& options, std::span<const Summary> summaries);

/// Every job and task submitted is finished, failed or unfinished; else throws Bug.
void require_conserved(const Summary& summary);

/// The closing table of a run that has this log.
void close_with_table(const CommonOptions& options, const Log& log);

}  // namespace somnus
