// Rank 0 and the workers of a run in real time, over any wire.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "emulator/run/outputs.hpp"
#include "emulator/run/past.hpp"
#include "model/workload.hpp"
#include "record/log.hpp"
#include "runtime/roll.hpp"
#include "runtime/wire.hpp"

namespace somnus {

struct EmulationOptions {
  bool spin = false;  // rank 0 has a core of its own
  OutputOptions outputs{};
  std::atomic<int>* stop = nullptr;
  std::shared_ptr<const Past> past{};  // of a run that is resumed; none: it begins
};

struct Emulation {
  LogTables tables;
  bool complete = true;         // came to its end
  bool has_log = false;         // a file, whole or cut short
  std::string why;              // else why not, a sentence
  std::string note;             // what the user should hear about an end all the same
  std::vector<int> lost_ranks;  // did not say goodbye
};

/// How the roll of a run is to be called.
[[nodiscard]] RollRules roll_rules_of(const Settings& settings, const std::atomic<int>* stop);

/// Rank 0: emulates the workload on the workers of the roll, which has been called, and writes
/// settings.log.file; of a run that is resumed, a file that begins with all that was, and that
/// takes the place of what stands there when it has that. A rank that is lost on the way, a signal,
/// or a log that can't be written ends the run early: complete = false, the log closed as far as it
/// can be. Before the log is begun these throw WorldError.
[[nodiscard]] Emulation emulate(const std::shared_ptr<const Settings>& settings,
                                const std::shared_ptr<const Workload>& workload, Roll& roll,
                                const EmulationOptions& options);

enum class MaySpin : bool { no, yes };

/// A worker rank, until rank 0 sends it home. Throws WorldError if rank 0 is lost. It may spin
/// where its host has a core for each rank.
void work(Wire& wire, MaySpin may_spin, const std::atomic<int>* stop);

/// Beside signal numbers, why a run stops early.
inline constexpr int stop_for_starter = -2;
/// "stopped by Terminated".
[[nodiscard]] std::string words_for_stop(int stop);

}  // namespace somnus
