// A text, block by block: plain or gzip, detected by the first bytes and not by the name.
#pragma once

#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <span>
#include <string>

#include "base/error.hpp"

namespace somnus {

class TextBlocks {
 public:
  /// `name` is for messages. `input_bytes`: how many there are in it; 0: not known.
  TextBlocks(std::string name, std::unique_ptr<std::istream> input, std::uint64_t input_bytes);
  /// Throws UserError where that file can't be read: a directory, a device, none, no permission.
  [[nodiscard]] static std::unique_ptr<TextBlocks> open(const std::filesystem::path& path);

  /// Fills the front of `room`; says how much of it, less than all only at the text's end. Throws
  /// UserError for gzip data that are damaged, cut, or made to fill the memory, WorldError where
  /// the disk fails.
  [[nodiscard]] std::size_t read(std::span<char> room);
  /// Of the input, which may be compressed.
  [[nodiscard]] std::uint64_t bytes_read();
  [[nodiscard]] std::uint64_t input_bytes() const { return input_bytes_; }

 private:
  [[nodiscard]] std::size_t read_some(std::span<char> room);
  void refuse_if_it_grows_too_much();

  std::string name_;
  std::unique_ptr<std::istream> input_;
  std::uint64_t input_bytes_;
  bool is_gzip_ = false;
  boost::iostreams::filtering_istreambuf unpacked_;
  std::uint64_t text_bytes_ = 0;
};

}  // namespace somnus
