// A text, block by block: plain, gzip, zstd or xz, UTF-8 or UTF-16, detected by the first bytes and
// not by the name.
#pragma once

#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/error.hpp"
#include "text/utf16.hpp"

namespace somnus {

class TextBlocks {
 public:
  /// `name` is for messages. `input_bytes`: how many there are in it; 0: not known.
  TextBlocks(std::string name, std::unique_ptr<std::istream> input, std::uint64_t input_bytes);
  /// Throws UserError where that file can't be read: a directory, a device, none, no permission.
  [[nodiscard]] static std::unique_ptr<TextBlocks> open(const std::filesystem::path& path);

  /// Fills the front of `room`, with UTF-8 where the file has UTF-16; says how much of it, less
  /// than all only at the text's end. Throws UserError for packed data that are damaged, cut, or
  /// made to fill the memory, and for damaged UTF-16, WorldError where the disk fails.
  [[nodiscard]] std::size_t read(std::span<char> room);
  /// Of the input, which may be compressed.
  [[nodiscard]] std::uint64_t bytes_read();
  [[nodiscard]] std::uint64_t input_bytes() const { return input_bytes_; }

 private:
  /// Bytes of the text as the file has it, without its packing.
  [[nodiscard]] std::size_t read_bytes(std::span<char> room);
  [[nodiscard]] std::size_t read_text(std::span<char> room);
  void look_for_mark();
  void refuse_if_it_grows_too_much();

  std::string name_;
  std::unique_ptr<std::istream> input_;
  std::uint64_t input_bytes_;
  const char* packing_ = nullptr;  // its name; none: it is plain
  boost::iostreams::filtering_istreambuf unpacked_;
  bool has_begun_ = false;
  std::optional<Utf16Decoder> utf16_;
  std::string ready_;         // of the text, read already
  std::size_t ready_at_ = 0;  // so much of it has been given
  std::uint64_t text_bytes_ = 0;
};

}  // namespace somnus
