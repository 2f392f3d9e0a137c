#include "parquet/codecs.hpp"

#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <memory>

#include "parquet/format_error.hpp"

namespace somnus::parquet {
namespace {

bool unpack_snappy(std::string_view packed, std::string& plain) {
  std::size_t bytes = 0;
  return snappy::GetUncompressedLength(packed.data(), packed.size(), &bytes) &&
         bytes == plain.size() && snappy::RawUncompress(packed.data(), packed.size(), plain.data());
}

bool unpack_gzip(std::string_view packed, std::string& plain) {
  constexpr int gzip_or_zlib = 15 + 32;  // the largest window, and detected from the first bytes
  z_stream stream{};
  if (inflateInit2(&stream, gzip_or_zlib) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  return inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
}

bool unpack_zstd(std::string_view packed, std::string& plain) {
  return ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size()) == plain.size();
}

struct CodecRow {
  Codec codec;
  const char* name;
  std::size_t most_expansion;  // no byte becomes more; nor do so many bytes of headers
  bool (*unpack)(std::string_view packed, std::string& plain);
};

// Snappy copies 64 bytes by 3; deflate 258 by 2 bits; a block of zstd, which is at most 128 KiB,
// may be one byte behind three of its head.
constexpr CodecRow codecs[] = {
    {Codec::snappy, "snappy", 22, unpack_snappy},
    {Codec::gzip, "gzip", 1032, unpack_gzip},
    {Codec::zstd, "zstd", 32 << 10, unpack_zstd},
};

}  // namespace

std::string unpacked(Codec codec, std::string_view packed, std::size_t plain_bytes) {
  if (codec == Codec::uncompressed) {
    require(packed.size() == plain_bytes, "expected {} bytes, found {}", plain_bytes,
            packed.size());
    return std::string(packed);
  }
  for (const CodecRow& row : codecs) {
    if (row.codec != codec) continue;
    require(plain_bytes <= packed.size() * row.most_expansion,
            "expected at most {} bytes from {} of {}, found a page that says {}",
            packed.size() * row.most_expansion, packed.size(), row.name, plain_bytes);
    std::string plain(plain_bytes, '\0');
    require(row.unpack(packed, plain), "expected {} that unpacks to {} bytes, found damaged data",
            row.name, plain_bytes);
    return plain;
  }
  throw FormatError(
      fmt::format("expected pages that are not compressed or by snappy, gzip or zstd, found "
                  "codec {}",
                  static_cast<int>(codec)));
}

std::string packed(Codec codec, std::string_view plain) {
  if (codec == Codec::uncompressed) return std::string(plain);
  std::string bytes;
  snappy::Compress(plain.data(), plain.size(), &bytes);
  return bytes;
}

}  // namespace somnus::parquet
