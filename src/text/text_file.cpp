#include "text/text_file.hpp"

#include <simdjson.h>

#include <sstream>

#include "text/text_blocks.hpp"

namespace somnus {
namespace {

constexpr std::size_t beginning_bytes = std::size_t{1} << 20;

/// Of Parquet files, whose description stands at their end: a part of one says nothing.
constexpr std::string_view held_whole = "PAR1";

/// Appends so much, or all that there is; false at the text's end.
bool append(std::string& text, TextBlocks& blocks, std::size_t bytes) {
  const std::size_t before = text.size();
  text.resize(before + bytes);
  const std::size_t count = blocks.read(std::span(text).subspan(before));
  text.resize(before + count);
  return count == bytes;
}

std::string all_of(TextBlocks& blocks, std::string text) {
  while (append(text, blocks, std::max(beginning_bytes, text.size() / 2))) {
  }
  return text;
}

}  // namespace

TextFile::TextFile(std::string name, std::string text)
    : name_(std::move(name)), padded_(std::move(text)) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (padded_.starts_with(byte_order_mark)) padded_.erase(0, byte_order_mark.size());
  padded_.append(simdjson::SIMDJSON_PADDING, '\0');
}

std::string_view TextFile::view_of(const std::string& padded) {
  return std::string_view(padded).substr(0, padded.size() - simdjson::SIMDJSON_PADDING);
}

Checked<TextFile> TextFile::load(const std::filesystem::path& path, OnRead on_read) {
  try {
    const auto blocks = TextBlocks::open(path);
    std::string text;
    const bool goes_on = append(text, *blocks, beginning_bytes);
    const bool may_open_again =
        std::filesystem::is_regular_file(path) && !text.starts_with(held_whole);
    if (goes_on && !may_open_again) text = all_of(*blocks, std::move(text));
    TextFile file(path.string(), std::move(text));
    if (goes_on && may_open_again) file.rest_ = path;
    file.on_read_ = std::move(on_read);
    return file;
  } catch (const UserError& refusal) {
    return tl::unexpected(refusal.mistakes());
  }
}

Checked<TextFile> TextFile::decode(std::string name, std::string bytes) {
  try {
    const std::uint64_t count = bytes.size();
    TextBlocks blocks(name, std::make_unique<std::istringstream>(std::move(bytes)), count);
    return TextFile(std::move(name), all_of(blocks, ""));
  } catch (const UserError& refusal) {
    return tl::unexpected(refusal.mistakes());
  }
}

std::string_view TextFile::text() const {
  if (!is_held()) {
    const auto blocks = TextBlocks::open(rest_);
    padded_ = TextFile(name_, all_of(*blocks, "")).padded_;
    rest_.clear();
  }
  return view_of(padded_);
}

}  // namespace somnus
