// A file name in a fresh folder, which goes away with all that is in it.
#pragma once

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

namespace somnus {

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name) {
    std::string folder = (std::filesystem::temp_directory_path() / "somnus-bench-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), folder);
    }
    folder_ = folder;
    path_ = folder_ / name;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
};

}  // namespace somnus
