// A file descriptor that is closed with its owner, and the status of its file.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace somnus {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int id) : id_(id) {}
  Descriptor(Descriptor&& other) noexcept : id_(std::exchange(other.id_, none)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Descriptor();

  [[nodiscard]] int get() const { return id_; }
  [[nodiscard]] bool is_open() const { return id_ != none; }
  /// Whether the file of that name, without following a link, is this one.
  [[nodiscard]] bool is_called(const std::filesystem::path& path) const;
  /// All of it. 0, or the system's error.
  [[nodiscard]] int write(std::string_view bytes) const;
  /// 0, or the system's error, which may come as late as this.
  [[nodiscard]] int close();

 private:
  static constexpr int none = -1;
  int id_ = none;
};

/// "No such file or directory".
[[nodiscard]] std::string system_words(int error);

[[nodiscard]] inline bool same_file(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace somnus
