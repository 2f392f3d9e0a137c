// The state of jobs and stages in a run that was cut off, from the rows of attempts and events:
// rows of jobs and stages are flushed at other moments.
#pragma once

#include <filesystem>

#include "base/error.hpp"
#include "log/log.hpp"

namespace somnus {

/// first_start, finish and state of jobs and stages as the task rows and arrivals show them: a job
/// or stage has finished when each of its tasks has an attempt that did. Failed jobs stay failed. A
/// job without a submit, as its row was not flushed after the job that it follows had ended, was
/// submitted when it arrived. A mistake, and nothing is changed, if a row names a stage, task or
/// job that the log doesn't have; its file is `path`.
[[nodiscard]] Mistakes rebuild_progress(Log& log, const std::filesystem::path& path);

}  // namespace somnus
