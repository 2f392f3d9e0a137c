// What a run needs to go on: a log that was cut off, the program that wrote it, and the same
// workload.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "config/settings.hpp"
#include "model/workload.hpp"
#include "session/run_history.hpp"

namespace somnus {

/// The ranks of a run whose starter was killed write on for some seconds: waits for who writes the
/// log to end, for five seconds, and says so unless it is to be quiet. Throws UserError, naming who
/// still writes then; WorldError if `stop`, a signal's number, is not 0 before.
void wait_for_writer(const std::filesystem::path& log, const std::atomic<int>& stop, bool quiet);

/// The settings of that run, as its log has them; log.file is the log itself. Mistakes: it is no
/// log of a run, or one that has come to its end, or that another version wrote.
[[nodiscard]] Checked<Settings> settings_to_resume(const std::filesystem::path& log);

/// Recovers the log and reads it. Mistakes: it is being written, is damaged, has no events, was
/// made of another workload, or does not follow from its events. Throws WorldError as recover_log()
/// does.
[[nodiscard]] Checked<std::shared_ptr<const RunHistory>> history_of(
    const std::filesystem::path& path, const Settings& settings, const Workload& workload);

/// /resumes of the run that goes on, now and on so many ranks.
[[nodiscard]] std::vector<ResumeRow> resumes_of(const RunHistory& history, int ranks);

}  // namespace somnus
