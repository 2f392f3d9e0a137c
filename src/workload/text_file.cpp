#include "workload/text_file.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>

namespace somnus {
namespace {

constexpr std::streamsize chunk_bytes = 1 << 16;

tl::unexpected<Mistakes> refuse_file(std::string file, std::string what, std::string hint = "") {
  return mistake({.place = {.file = std::move(file)},
                  .key = "",
                  .what = std::move(what),
                  .hint = std::move(hint)});
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

// Lists of jobs shrink to a twentieth. What grows a hundredfold, and to more than this, is made to
// fill the memory.
constexpr std::size_t most_unpacked_bytes = std::size_t{512} << 20;
constexpr std::size_t most_expansion = 100;

bool is_device(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status);
}

/// nullopt: there is no end to it.
std::optional<std::string> decompress(const std::string& bytes) {
  namespace io = boost::iostreams;
  const std::size_t most = std::max(most_unpacked_bytes, most_expansion * bytes.size());
  std::string text;
  io::filtering_istreambuf input;
  input.push(io::gzip_decompressor(io::zlib::default_window_bits, chunk_bytes), chunk_bytes);
  input.push(io::array_source(bytes.data(), bytes.size()));
  std::array<char, chunk_bytes> chunk;
  while (const std::streamsize count = input.sgetn(chunk.data(), chunk_bytes)) {
    text.append(chunk.data(), static_cast<std::size_t>(count));
    if (text.size() > most) return std::nullopt;
  }
  return text;
}

}  // namespace

TextFile::TextFile(std::string name, std::string text)
    : name_(std::move(name)), padded_(std::move(text)), size_(padded_.size()) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (padded_.starts_with(byte_order_mark)) {
    start_ = byte_order_mark.size();
    size_ -= start_;
  }
  padded_.append(simdjson::SIMDJSON_PADDING, '\0');
}

Checked<TextFile> TextFile::load(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) {
    return refuse_file(path.string(), "is a directory, expected a workload file");
  }
  if (is_device(path)) {  // such as /dev/zero, which has no end
    return refuse_file(path.string(), "is a device, expected a workload file");
  }
  errno = 0;
  std::ifstream input(path, std::ios::binary);
  if (!input) {
    const auto reason = std::error_code(errno, std::generic_category()).message();
    return refuse_file(path.string(), fmt::format("cannot be opened: {}", reason));
  }
  std::string bytes;
  std::array<char, chunk_bytes> chunk;
  while (input.read(chunk.data(), chunk_bytes) || input.gcount() > 0) {
    bytes.append(chunk.data(), static_cast<std::size_t>(input.gcount()));
  }
  if (input.bad()) throw WorldError(fmt::format("{}: reading failed", path.string()));
  return decode(path.string(), std::move(bytes));
}

Checked<TextFile> TextFile::decode(std::string name, std::string bytes) {
  if (!is_gzip(bytes)) return TextFile(std::move(name), std::move(bytes));
  try {
    std::optional<std::string> text = decompress(bytes);  // may throw: the name is needed then
    if (text) return TextFile(std::move(name), std::move(*text));
    return refuse_file(
        std::move(name),
        fmt::format("the gzip data unpack to more than {} times their size", most_expansion),
        "unpack them by hand if that is meant");
  } catch (const std::ios_base::failure&) {
    return refuse_file(std::move(name), "the gzip data are damaged or cut off",
                       "copy the file again");
  }
}

}  // namespace somnus
