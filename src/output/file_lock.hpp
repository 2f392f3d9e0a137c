// Who may write a file: one process at a time. Readers ask nobody.
//
// The lock is on the file itself, whatever names and links it has, and held by an open file
// description (F_OFD_SETLK): it dies with its process, and goes with no other descriptor that is
// closed, as HDF5 closes some of its own. Bytes that no file has stand for it: of one at 2^62
// whoever wants to write has a lock that excludes all others for an instant, and from then on a
// shared one, which keeps others from that instant. Where a file system takes flock() for such a
// lock on the whole file (NFS), HDF5's readers can go on to use theirs. A second lock, beyond that
// byte, begins at a byte that says which process it is, and is as long as says on which host.
#pragma once

#include <filesystem>
#include <string>

#include "output/descriptor.hpp"

namespace somnus {

/// The right to write a file, until this goes.
class FileLock {
 public:
  FileLock() = default;  // of nothing
  /// Of the plain file at the end of links there; of nothing if there is none, or if it can't be
  /// opened for writing. Throws UserError, naming the holder, if somebody else has it. Where the
  /// file system has no locks nothing is locked.
  [[nodiscard]] static FileLock of_file(const std::filesystem::path& path);
  /// Of an open file; `path` is what the user calls it.
  FileLock(Descriptor file, const std::filesystem::path& path);

  /// Of no file.
  [[nodiscard]] bool is_empty() const { return !file_.is_open(); }
  /// Whether the file of that name, without following a link, is the locked one.
  [[nodiscard]] bool is_of(const std::filesystem::path& path) const {
    return file_.is_called(path);
  }
  [[nodiscard]] const Descriptor& file() const { return file_; }

 private:
  Descriptor file_;
};

/// Whether some process has the right to write the file now. Takes no lock itself. False where the
/// file can't be opened, or its file system has no locks.
[[nodiscard]] bool is_being_written(const std::filesystem::path& path);

}  // namespace somnus
