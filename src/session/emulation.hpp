// Rank 0 and the workers of a run in real time, over any wire.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "log/log.hpp"
#include "model/workload.hpp"
#include "runtime/membership.hpp"
#include "session/outputs.hpp"
#include "session/run_history.hpp"
#include "transport/wire.hpp"

namespace somnus {

struct EmulationOptions {
  bool spin = false;       // rank 0 has a core of its own
  bool keep_rows = false;  // in Emulation::log, where no file takes them
  OutputOptions outputs{};
  std::atomic<int>* stop = nullptr;
  std::shared_ptr<const RunHistory> history{};  // of a run that is resumed; none: it begins
};

struct Emulation {
  Log log;                      // without rows where a file has them, or nobody keeps them
  bool complete = true;         // came to its end
  bool users_mistake = false;   // is why it did not
  bool has_log = false;         // a file, whole or cut short
  std::string why;              // else why not, a sentence
  std::string note;             // a note to the user on how it ended; may be empty
  std::vector<int> lost_ranks;  // did not say goodbye
};

/// The rules of a run's membership.
[[nodiscard]] MembershipRules membership_rules_of(const Settings& settings,
                                                  const std::atomic<int>* stop);

/// Rank 0: emulates the workload on the workers of the membership, which has been gathered, and
/// writes settings.log.file; of a run that is resumed, a file that begins with all that was, and
/// that takes the place of what stands there when it has that. A rank that is lost on the way, a
/// signal, or a log that can't be written ends the run early: complete = false, the log closed as
/// far as it can be. Before the log is begun these throw WorldError.
[[nodiscard]] Emulation emulate(const std::shared_ptr<const Settings>& settings,
                                const std::shared_ptr<const Workload>& workload,
                                Membership& membership, const EmulationOptions& options);

enum class MaySpin : bool { no, yes };

/// A worker rank, until rank 0 lets it end. Throws WorldError if rank 0 is lost. It may spin
/// where its host has a core for each rank.
void work(Wire& wire, MaySpin may_spin, const std::atomic<int>* stop);

/// Beside signal numbers, why a run stops early.
inline constexpr int stop_for_starter = -2;
/// "stopped by Terminated".
[[nodiscard]] std::string words_for_stop(int stop);

}  // namespace somnus
