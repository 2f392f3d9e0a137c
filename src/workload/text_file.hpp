// A text file, whole in memory: plain or gzip, told apart by the first bytes and not by the name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace somnus {

class TextFile {
 public:
  /// The user's mistakes: no such file, a directory, a device, no permission, gzip data that are
  /// damaged, cut, or made to fill the memory.
  [[nodiscard]] static Checked<TextFile> load(const std::filesystem::path& path);
  /// From the bytes of a file of that name, decompressed if they are gzip.
  [[nodiscard]] static Checked<TextFile> decode(std::string name, std::string bytes);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Without a byte order mark. The memory behind its end is readable as far as JSON parsers that
  /// read whole vector registers need it.
  [[nodiscard]] std::string_view text() const {
    return std::string_view(padded_).substr(start_, size_);
  }

 private:
  TextFile(std::string name, std::string text);

  std::string name_;
  std::string padded_;
  std::size_t start_ = 0;
  std::size_t size_ = 0;
};

/// Calls visit(line, number) for each line, numbers from 1, without its line end (LF or CRLF).
/// The last line needs none.
template <class Visit>
void for_each_line(std::string_view text, Visit&& visit) {
  for (int number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit(line, number);
  }
}
template <class Visit>
void for_each_line(const TextFile& file, Visit&& visit) {
  for_each_line(file.text(), std::forward<Visit>(visit));
}

}  // namespace somnus
