// Reads a log back into memory.
#pragma once

#include <filesystem>

#include "base/error.hpp"
#include "record/log.hpp"

namespace somnus {

/// The log of a run that has ended, was killed or still goes on; of the latter two what was flushed
/// so far. Mistakes tell what is wrong with the file: it is missing, is something else than a log,
/// is newer than this program, lacks tables or columns (all of them in one go), or is cut short.
[[nodiscard]] Checked<Log> read_log(const std::filesystem::path& path);
/// Its root attributes alone.
[[nodiscard]] Checked<LogHeader> read_log_header(const std::filesystem::path& path);

}  // namespace somnus
