#include "text/write_text.hpp"

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include "output/file.hpp"

namespace somnus {
namespace {

// Boost writes no time of day and no name into the header, so the bytes depend on the text alone.
void write_packed(const std::function<void(const PutText&)>& put_all, OutputFile& file) {
  namespace io = boost::iostreams;
  std::string bytes;
  io::filtering_ostream packed;
  packed.push(io::gzip_compressor());
  packed.push(io::back_inserter(bytes));
  put_all([&](std::string_view piece) {
    packed.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    file.write(bytes);
    bytes.clear();
  });
  packed.reset();
  file.write(bytes);
}

}  // namespace

void write_text(const std::string& text, const std::filesystem::path& path,
                const OutputRules& rules) {
  write_text([&](const PutText& put) { put(text); }, path, rules);
}

void write_text(const std::function<void(const PutText&)>& put_all,
                const std::filesystem::path& path, const OutputRules& rules) {
  OutputFile file(path, rules);
  if (path.extension() == ".gz") {
    write_packed(put_all, file);
  } else {
    put_all([&](std::string_view piece) { file.write(piece); });
  }
  file.commit();
}

}  // namespace somnus
