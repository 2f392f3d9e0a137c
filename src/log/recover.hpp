// Makes the log of a killed run whole.
#pragma once

#include <cstddef>
#include <filesystem>

#include "base/error.hpp"
#include "log/log.hpp"

namespace somnus {

struct Recovered {
  std::size_t tasks = 0;
  std::size_t samples = 0;
  std::size_t events = 0;
  std::size_t decisions = 0;
  bool was_complete = false;  // and left as it is
  // How far the run has come:
  std::size_t finished_tasks = 0;
  std::size_t arrived_jobs = 0;
  std::size_t active_jobs = 0;
  double time_s = 0;  // of the last in its log
};

/// Changes the log, in place and so that it can be interrupted (safe_change.hpp), into one with the
/// same rows that opens like any other file; what jobs and stages came to is worked out from the
/// task rows. `complete` stays 0. A complete log is left as it is. Throws UserError if somebody
/// still writes it; WorldError if it can't be written.
[[nodiscard]] Checked<Recovered> recover_log(const std::filesystem::path& path);

}  // namespace somnus
