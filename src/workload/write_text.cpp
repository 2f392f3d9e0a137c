#include "workload/write_text.hpp"

#include <fmt/format.h>

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "base/error.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw WorldError(fmt::format("{}: cannot be written: {}", path.string(),
                               std::error_code(error, std::generic_category()).message()));
}

// Boost writes no time of day and no name into the header, so the bytes depend on the text alone.
void write_pieces(const std::function<void(const PutText&)>& put_all, const fs::path& path,
                  bool compressed) {
  namespace io = boost::iostreams;
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) fail(path, errno);
  io::filtering_ostream packed;
  if (compressed) packed.push(io::gzip_compressor());
  packed.push(file);
  try {
    put_all([&](std::string_view piece) {
      packed.write(piece.data(), static_cast<std::streamsize>(piece.size()));
      if (!packed || !file) fail(path, errno);
    });
    packed.reset();
  } catch (const std::ios_base::failure&) {
    fail(path, errno);
  }
  file.close();
  if (!file) fail(path, errno);
}

}  // namespace

void write_text(const std::string& text, const fs::path& path) {
  write_text([&](const PutText& put) { put(text); }, path);
}

void write_text(const std::function<void(const PutText&)>& put_all, const fs::path& path) {
  const bool compressed = path.extension() == ".gz";
  const bool special = fs::exists(path) && !fs::is_regular_file(path);
  if (special) {  // a pipe or terminal can't be renamed over
    write_pieces(put_all, path, compressed);
    return;
  }

  fs::path partial = path;
  partial += ".partial";
  try {
    write_pieces(put_all, partial, compressed);
    fs::rename(partial, path);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    fail(path, error.code().value());
  } catch (const WorldError&) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    throw;
  }
}

}  // namespace somnus
