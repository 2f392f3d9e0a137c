// Who may write a log: one process at a time. Readers ask nobody.
#pragma once

#include <filesystem>

#include "base/error.hpp"

namespace somnus {

/// to_recover: the lock's file takes up some room, which is there for recovering the log where the
/// disk has become full.
enum class LockRoom : bool { none, to_recover };

/// The right to write the log at a path, until this is destroyed or its process dies. The lock is
/// on a file beside the log, LOG.lock, which says who holds it: HDF5 locks the log itself in its
/// own way, and `run --force` puts another file in its place. A file of a dead process locks
/// nothing.
class LogLock {
 public:
  /// Throws UserError, naming the holder, if somebody else has it; WorldError with the system's
  /// reason if nothing can be written beside the log. Where the file system has no locks, or the
  /// path is no regular file, there is none to hold.
  explicit LogLock(const std::filesystem::path& log, LockRoom room = LockRoom::none);
  ~LogLock();
  LogLock(const LogLock&) = delete;
  LogLock& operator=(const LogLock&) = delete;

 private:
  std::filesystem::path path_;
  int file_ = -1;  // -1: nothing is held
};

/// Whether some process has the right to write the log now; also where that can't be known, as the
/// file system has no locks. Takes no lock itself.
[[nodiscard]] bool is_being_written(const std::filesystem::path& log);

/// Throws UserError if a file with something in it stands there.
void require_nothing_there(const std::filesystem::path& log);

/// Why a new log can't be written there: somebody writes it now, or, unless `replace`, something
/// stands there. Throws WorldError like LogLock.
[[nodiscard]] Mistakes objections_to_writing(const std::filesystem::path& log, bool replace);

}  // namespace somnus
