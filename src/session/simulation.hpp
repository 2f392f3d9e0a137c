// One run under the virtual clock, in this process.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "base/lateness.hpp"
#include "config/settings.hpp"
#include "log/log.hpp"
#include "model/workload.hpp"
#include "runtime/loop_options.hpp"
#include "scheduler/engine.hpp"
#include "session/outputs.hpp"

namespace somnus {

struct SimulationOptions {
  bool keep_rows = true;          // in the returned log, for a closing table without a file
  std::optional<LateRanks> late;  // as if emulated by these; none: nothing is ever late
  OutputOptions outputs{};
  std::atomic<int>* stop = nullptr;  // not 0: end early
};

struct Simulation {
  Log log;  // what a file would hold; without rows if they went to a file
  bool complete = true;
  std::string note;   // a note to the user on how it ended; may be empty
  double took_s = 0;  // real seconds of the event loop alone
};

/// Writes settings.log.file, if there is one. Throws WorldError if the log can't be written.
[[nodiscard]] Simulation simulate_one(const Settings& settings, const Workload& workload,
                                      const SimulationOptions& options);

/// What to say of a simulation that ended so; empty where all is well.
[[nodiscard]] std::string note_on_end(Ending ending, const Settings& settings,
                                      const Engine& engine);

}  // namespace somnus
