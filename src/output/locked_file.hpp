// A file that is written over a long time, by one process, and that others may read meanwhile.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "output/destination.hpp"
#include "output/file_lock.hpp"
#include "output/unfinished.hpp"

namespace somnus {

/// Begun beside its place, as .NAME.new, with the right to write it and what stands in its place;
/// moves there on request. Another writer is refused from the beginning
/// on. What has not moved is removed in the end.
class LockedFile {
 public:
  /// What a killed process has left by that name is written over if it begins with `signature`, by
  /// which such files are known; beside anything else another name is taken. Throws UserError if
  /// there are objections_to_output(), or another process writes it; WorldError with the system's
  /// reason if no file can be made there.
  LockedFile(const std::filesystem::path& path, OutputRules rules, std::string_view signature,
             Written written = Written::in_order);
  ~LockedFile();
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  /// Where it is to be written: an empty file.
  [[nodiscard]] const std::filesystem::path& begun() const { return begun_; }
  /// The same file, opened for reading and writing.
  [[nodiscard]] const Descriptor& file() const { return lock_.file(); }

  /// Moves it, once. Throws UserError if something else has come there meanwhile, WorldError with
  /// the system's reason.
  void take_its_place();
  /// What stood there goes from the disk, which takes 10 ms for 100 MB, once it has moved and this
  /// is called, or in the end.
  void drop_replaced() {
    if (is_in_its_place()) old_ = FileLock();
  }
  [[nodiscard]] bool is_in_its_place() const { return lock_.is_of(place_); }
  /// There, or where it was begun. If not, it was removed or replaced.
  [[nodiscard]] bool is_there() const { return is_in_its_place() || lock_.is_of(begun_); }

 private:
  void begin(std::string_view signature);

  std::filesystem::path path_;
  std::filesystem::path place_;
  std::filesystem::path begun_;
  OutputRules rules_;
  Written written_;
  FileLock old_;  // what stands, or stood, in its place
  FileLock lock_;
  Unfinished unfinished_;
};

}  // namespace somnus
