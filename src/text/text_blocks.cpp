#include "text/text_blocks.hpp"

#include <algorithm>
#include <array>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "text/zstd_filter.hpp"

namespace somnus {
namespace {

constexpr std::streamsize unpacked_chunk_bytes = 1 << 16;

// Lists of jobs shrink to a twentieth. What grows a hundredfold, and to more than this, is made to
// fill the memory. Of what comes through a pipe nobody knows how much it was.
constexpr std::uint64_t most_unpacked_bytes = std::uint64_t{16} << 20;
constexpr std::uint64_t most_unpacked_bytes_of_pipe = std::uint64_t{512} << 20;
constexpr std::uint64_t most_expansion = 100;
// So often that is asked.
constexpr std::size_t most_at_once = std::size_t{1} << 20;

[[noreturn]] void refuse_text(std::string file, std::string what, std::string hint = "") {
  throw UserError(mistake({.location = {.file = std::move(file)},
                           .key = "",
                           .what = std::move(what),
                           .hint = std::move(hint)})
                      .value());
}

/// Which stay where they are. Two tell all packings from text, and more a pipe may not take back.
std::string first_two_bytes(std::istream& input) {
  std::streambuf& from = *input.rdbuf();
  const int first = from.sgetc();
  if (first == std::streambuf::traits_type::eof()) return {};
  const int second = from.snextc();
  from.sungetc();
  return {static_cast<char>(first), static_cast<char>(second)};
}

bool is_device(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status);
}

}  // namespace

TextBlocks::TextBlocks(std::string name, std::unique_ptr<std::istream> input,
                       std::uint64_t input_bytes)
    : name_(std::move(name)), input_(std::move(input)), input_bytes_(input_bytes) {
  namespace io = boost::iostreams;
  const std::string bytes = first_two_bytes(*input_);
  if (bytes == "\x1f\x8b") {
    packing_ = "gzip";
    unpacked_.push(io::gzip_decompressor(io::zlib::default_window_bits, unpacked_chunk_bytes),
                   unpacked_chunk_bytes);
  } else if (bytes == "\x28\xb5") {
    packing_ = "zstd";
    unpacked_.push(ZstdFilter(), unpacked_chunk_bytes);
  } else if (bytes == "\xfd\x37") {
    packing_ = "xz";
    unpacked_.push(io::lzma_decompressor(unpacked_chunk_bytes), unpacked_chunk_bytes);
  }
  if (packing_ != nullptr) unpacked_.push(*input_);
}

std::unique_ptr<TextBlocks> TextBlocks::open(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) {
    refuse_text(path.string(), "is a directory, expected a workload file");
  }
  if (is_device(path)) {  // such as /dev/zero, which has no end
    refuse_text(path.string(), "is a device, expected a workload file");
  }
  errno = 0;
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*file) {
    const auto reason = std::error_code(errno, std::generic_category()).message();
    refuse_text(path.string(), fmt::format("cannot be opened: {}", reason));
  }
  std::error_code unknown;  // of a pipe
  const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
  return std::make_unique<TextBlocks>(path.string(), std::move(file), unknown ? 0 : bytes);
}

std::size_t TextBlocks::read(std::span<char> room) {
  std::size_t total = 0;
  while (total < room.size()) {
    const std::size_t at_once = std::min(most_at_once, room.size() - total);
    const std::size_t count = read_text(room.subspan(total, at_once));
    if (count == 0) break;
    total += count;
    text_bytes_ += count;
    if (packing_ != nullptr) refuse_if_it_grows_too_much();
  }
  return total;
}

void TextBlocks::refuse_if_it_grows_too_much() {
  const std::uint64_t most = input_bytes_ == 0
                                 ? most_unpacked_bytes_of_pipe
                                 : std::max(most_unpacked_bytes, most_expansion * bytes_read());
  if (text_bytes_ <= most) return;
  refuse_text(
      name_,
      fmt::format("the {} data unpack to more than {} times their size", packing_, most_expansion),
      "unpack them by hand if that is meant");
}

std::size_t TextBlocks::read_text(std::span<char> room) {
  if (!has_begun_) look_for_mark();
  while (ready_at_ == ready_.size()) {
    if (!utf16_) return read_bytes(room);
    std::array<char, 1 << 14> units;
    const std::size_t count = read_bytes(units);
    if (count == 0 && utf16_->may_end()) return 0;
    ready_.clear();
    ready_at_ = 0;
    if (count == 0 || !utf16_->decode({units.data(), count}, ready_)) {
      refuse_text(name_, "the UTF-16 text is damaged or cut off", "save it as UTF-8");
    }
  }
  const std::size_t count = std::min(room.size(), ready_.size() - ready_at_);
  std::copy_n(ready_.begin() + static_cast<std::ptrdiff_t>(ready_at_), count, room.begin());
  ready_at_ += count;
  return count;
}

void TextBlocks::look_for_mark() {
  has_begun_ = true;
  ready_.resize(Utf16Decoder::mark_bytes);
  std::size_t count = 0;
  while (count < ready_.size()) {
    const std::size_t more = read_bytes(std::span(ready_).subspan(count));
    if (more == 0) break;
    count += more;
  }
  ready_.resize(count);
  utf16_ = Utf16Decoder::of_mark(ready_);
  if (utf16_) ready_.clear();
}

std::size_t TextBlocks::read_bytes(std::span<char> room) {
  const auto most = static_cast<std::streamsize>(room.size());
  std::streamsize count = 0;
  if (packing_ != nullptr) {
    try {
      count = std::max<std::streamsize>(unpacked_.sgetn(room.data(), most), 0);
    } catch (const std::ios_base::failure&) {
      refuse_text(name_, fmt::format("the {} data are damaged or cut off", packing_),
                  "copy the file again");
    }
  } else {
    input_->read(room.data(), most);
    count = input_->gcount();
  }
  if (input_->bad()) throw WorldError(fmt::format("{}: reading failed", name_));
  return static_cast<std::size_t>(count);
}

std::uint64_t TextBlocks::bytes_read() {
  const auto at = input_->rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in);
  return at < 0 ? input_bytes_ : static_cast<std::uint64_t>(at);
}

}  // namespace somnus
