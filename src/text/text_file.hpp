// A text file, plain or packed (text_blocks.hpp). A small one, and any Parquet file, is held whole;
// a large one is read anew by each that goes through its lines, so that no more than a part of it
// is in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace somnus {

/// Called now and then, while a large file is read: how many of its bytes have been, of how many.
using OnRead = std::function<void(std::uint64_t bytes, std::uint64_t of_bytes)>;

class TextFile {
 public:
  /// The user's mistakes: no such file, a directory, a device, no permission, gzip data that are
  /// damaged, cut, or made to fill the memory. What is wrong with a large file beyond its beginning
  /// shows when it is read, as a UserError that is thrown; read_text() catches it.
  [[nodiscard]] static Checked<TextFile> load(const std::filesystem::path& path,
                                              OnRead on_read = {});
  /// From the bytes of a file of that name, decompressed if they are gzip.
  [[nodiscard]] static Checked<TextFile> decode(std::string name, std::string bytes);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// All of it, or of a large text the first MiB: what formats are detected from.
  [[nodiscard]] std::string_view beginning() const { return view_of(padded_); }
  /// All of it, which is held from then on.
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] bool is_held() const { return rest_.empty(); }
  void report_progress(std::uint64_t bytes, std::uint64_t of_bytes) const {
    if (on_read_) on_read_(bytes, of_bytes);
  }

 private:
  TextFile(std::string name, std::string text);
  [[nodiscard]] static std::string_view view_of(const std::string& padded);

  std::string name_;
  // Without a byte order mark, and with room behind it: parsers of JSON read whole registers.
  mutable std::string padded_;
  mutable std::filesystem::path rest_;  // of a file that is not held
  OnRead on_read_;
};

/// What parse(file) gives, or what is wrong with the file.
template <class Parse>
auto read_text(const std::filesystem::path& path, Parse&& parse, OnRead on_read = {})
    -> decltype(parse(std::declval<const TextFile&>())) {
  const auto file = TextFile::load(path, std::move(on_read));
  if (!file) return tl::unexpected(file.error());
  try {
    return parse(*file);
  } catch (const UserError& unreadable) {
    return tl::unexpected(unreadable.mistakes());
  }
}

}  // namespace somnus
