// Rank 0 and the workers of a run in real time, over any wire.
#pragma once

#include <atomic>
#include <functional>

#include "config/settings.hpp"
#include "emulator/run/outputs.hpp"
#include "model/workload.hpp"
#include "record/log.hpp"
#include "runtime/wire.hpp"

namespace somnus {

struct EmulationOptions {
  bool spin = false;  // rank 0 has a core of its own
  OutputOptions outputs{};
  std::atomic<int>* stop = nullptr;
};

struct Emulation {
  LogTables tables;
  bool complete = true;         // came to its end
  std::string why;              // else why not, a sentence
  std::vector<int> lost_ranks;  // did not say goodbye
};

/// Rank 0: emulates the workload on the worker ranks of the wire and writes settings.log.file.
/// A rank that is lost on the way, a signal, or a log that can't be written ends the run early:
/// complete = false, the log closed as far as it can be.
[[nodiscard]] Emulation emulate(const Settings& settings, const Workload& workload, Wire& wire,
                                const EmulationOptions& options);

/// Rank 0, when there is nothing to emulate after all: sends the workers home.
void dismiss_workers(Wire& wire);

/// A worker rank, until rank 0 says stop. Throws WorldError if rank 0 is lost.
void work(Wire& wire, bool spin, const std::atomic<int>* stop);

}  // namespace somnus
