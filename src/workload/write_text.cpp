#include "workload/write_text.hpp"

#include <fmt/format.h>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cerrno>
#include <fstream>
#include <span>
#include <system_error>
#include <vector>

#include "base/error.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

// Boost writes no time of day and no name into the header, so the bytes depend on the text alone.
std::vector<char> gzip(const std::string& text) {
  namespace io = boost::iostreams;
  std::vector<char> bytes;
  io::filtering_ostream output;
  output.push(io::gzip_compressor());
  output.push(io::back_inserter(bytes));
  output.write(text.data(), static_cast<std::streamsize>(text.size()));
  output.reset();
  return bytes;
}

[[noreturn]] void fail(const fs::path& path, int error) {
  throw WorldError(fmt::format("{}: cannot be written: {}", path.string(),
                               std::error_code(error, std::generic_category()).message()));
}

void write_bytes(const fs::path& path, std::span<const char> bytes) {
  errno = 0;
  std::ofstream output(path, std::ios::binary | std::ios::trunc);
  output.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  output.close();
  if (!output) fail(path, errno);
}

}  // namespace

void write_text(const std::string& text, const fs::path& path) {
  std::vector<char> compressed;
  if (path.extension() == ".gz") compressed = gzip(text);
  const std::span<const char> bytes = compressed.empty() ? std::span<const char>(text) : compressed;
  const bool special = fs::exists(path) && !fs::is_regular_file(path);
  if (special) {  // a pipe or terminal can't be renamed over
    write_bytes(path, bytes);
    return;
  }

  fs::path partial = path;
  partial += ".partial";
  try {
    write_bytes(partial, bytes);
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
