#include "text/text_blocks.hpp"

#include <algorithm>
#include <boost/iostreams/filter/gzip.hpp>
#include <cerrno>
#include <fstream>
#include <system_error>

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

bool is_device(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status);
}

}  // namespace

TextBlocks::TextBlocks(std::string name, std::unique_ptr<std::istream> input,
                       std::uint64_t input_bytes)
    : name_(std::move(name)), input_(std::move(input)), input_bytes_(input_bytes) {
  std::streambuf& bytes = *input_->rdbuf();
  if (bytes.sgetc() != 0x1f) return;
  is_gzip_ = bytes.snextc() == 0x8b;
  bytes.sungetc();
  if (!is_gzip_) return;
  namespace io = boost::iostreams;
  unpacked_.push(io::gzip_decompressor(io::zlib::default_window_bits, unpacked_chunk_bytes),
                 unpacked_chunk_bytes);
  unpacked_.push(*input_);
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
    const std::size_t count = read_some(room.subspan(total, at_once));
    if (count == 0) break;
    total += count;
    text_bytes_ += count;
    if (is_gzip_) refuse_if_it_grows_too_much();
  }
  return total;
}

void TextBlocks::refuse_if_it_grows_too_much() {
  const std::uint64_t most = input_bytes_ == 0
                                 ? most_unpacked_bytes_of_pipe
                                 : std::max(most_unpacked_bytes, most_expansion * bytes_read());
  if (text_bytes_ <= most) return;
  refuse_text(name_,
              fmt::format("the gzip data unpack to more than {} times their size", most_expansion),
              "unpack them by hand if that is meant");
}

std::size_t TextBlocks::read_some(std::span<char> room) {
  const auto most = static_cast<std::streamsize>(room.size());
  std::streamsize count = 0;
  if (is_gzip_) {
    try {
      count = std::max<std::streamsize>(unpacked_.sgetn(room.data(), most), 0);
    } catch (const std::ios_base::failure&) {
      refuse_text(name_, "the gzip data are damaged or cut off", "copy the file again");
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
