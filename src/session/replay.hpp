// Decides again from a log's /events and compares with its /decisions: the scheduler is a function
// of its events, so every decision must come out equal. Where the scheduler is not there, such as a
// process of somebody else, the log's decisions are audited instead.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/error.hpp"
#include "config/config.hpp"
#include "log/log.hpp"
#include "log/log_tables.hpp"

namespace somnus {

struct Replayed {
  std::uint64_t events = 0;     // handled
  std::uint64_t decisions = 0;  // compared and equal
  std::uint32_t rounds = 0;     // planned
  std::string difference;       // empty: every decision is equal, and what else the log has of
                                // the scheduler; else the first that is not
  std::string cut_off;          // of an incomplete log: what could not be compared, if anything
};

/// Who decides.
enum class ReplayBy {
  scheduler,  // the log's, again
  log,        // nobody: what was decided is audited, and what follows from it is compared
};

/// Of an incomplete log only what is there is compared; events and decisions may end at different
/// places, and the last round may lack some of either.
/// Mistakes: a log without events (log.replay = false), whose config can't be parsed, or whose
/// rows make no sense. Throws Bug if the policy decides nonsense on the way.
/// overrides: of the log's config, where a process that decides is reached in another way now.
[[nodiscard]] Checked<Replayed> replay_log(const Log& log, std::span<const Override> overrides = {},
                                           ReplayBy by = ReplayBy::scheduler);

}  // namespace somnus
