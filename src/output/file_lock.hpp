// Who may write a file: one process at a time. Readers ask nobody.
//
// The lock is on the file itself, whatever names and links it has, and held by an open file
// description (F_OFD_SETLK): it ends with its process, and not with another descriptor of the same
// file, of which HDF5 closes some. It is on bytes that no file has. On the byte at 2^62 a writer
// takes an exclusive lock for an instant and keeps a shared one from then on, so that no other
// writer gets the exclusive one. Where a file system takes flock() for such a lock on the whole
// file (NFS), HDF5's readers can still take theirs. A second lock, beyond that byte, names the
// holder: its first byte says which process, its length which host.
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
  /// opened for writing. Throws UserError, naming the holder, if another process has it. Where the
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
