// Reads a log back into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "base/error.hpp"
#include "log/log.hpp"

namespace somnus {

/// The log of a run that has ended, was killed or still goes on; of the latter two what was flushed
/// so far, with /jobs and /stages as far as the attempts are (progress.hpp). Mistakes say what is
/// wrong with the file: it is missing, is something else than a log, is newer than this program,
/// lacks tables or columns (all of them in one go), or is cut short.
[[nodiscard]] Checked<Log> read_log(const std::filesystem::path& path);
/// How far a log that is being written has been read.
struct RowsSeen {
  std::uint64_t salt = 0;   // of the log; 0: nothing has been read
  std::uint64_t inode = 0;  // of its file, for a run done anew has the same salt
  std::size_t tasks = 0;
  std::size_t samples = 0;
  std::size_t launches = 0;
  bool more = false;  // there are others, which are for the next time
};
/// What has come to it since: the rows behind those of these tables, so many of each at most, the
/// header and /jobs; and the first time names, stages, nodes and users, too. Mistakes as above, and
/// if another log stands there now.
[[nodiscard]] Checked<Log> read_updates(const std::filesystem::path& path, RowsSeen& seen,
                                        std::size_t most_rows = std::size_t{1} << 20);
/// Its root attributes alone.
[[nodiscard]] Checked<LogHeader> read_log_header(const std::filesystem::path& path);

}  // namespace somnus
