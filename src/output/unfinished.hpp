// Files that are being written, under names of their own. A process that ends in a signal handler
// can't unwind, so it removes them first.
#pragma once

#include <cstddef>
#include <filesystem>

namespace somnus {

/// The file is removed when this goes, unless it was kept.
class Unfinished {
 public:
  Unfinished() = default;
  explicit Unfinished(const std::filesystem::path& path);
  Unfinished(Unfinished&& other) noexcept;
  Unfinished& operator=(Unfinished&& other) noexcept;
  ~Unfinished();

  /// It has another name now, or is gone.
  void keep();

 private:
  char* name_ = nullptr;  // nullptr: nothing is to be removed
  std::size_t slot_ = 0;
};

/// All of this process. May be called by a signal handler, once.
void remove_unfinished() noexcept;

/// A new file beside that place, opened for writing. Nothing that is there is opened, not even by a
/// link. The name is hidden: .NAME.new-PROCESS-NUMBER. -1, and errno: it can't be made.
[[nodiscard]] int create_beside(const std::filesystem::path& place, std::filesystem::path& created);

}  // namespace somnus
