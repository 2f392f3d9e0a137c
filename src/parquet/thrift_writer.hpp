// Thrift's compact protocol, the other way round.
//
//   out.field(1, std::int32_t{1});
//   out.each(2, Kind::structure, schema.size(), [&](std::size_t at) { write(out, schema[at]); });
//   out.end();
#pragma once

#include <string>
#include <string_view>

#include "parquet/thrift_reader.hpp"

namespace somnus::parquet {

/// One struct: its fields by rising number, then end().
class ThriftWriter {
 public:
  explicit ThriftWriter(std::string& bytes) : bytes_(bytes) {}

  void field(int id, std::int32_t value) {
    head(id, Kind::i32);
    whole(value);
  }
  void field(int id, std::int64_t value) {
    head(id, Kind::i64);
    whole(value);
  }
  void field(int id, std::string_view text) {
    head(id, Kind::binary);
    put(text);
  }
  /// A struct: write(writer) writes its fields.
  template <class Write>
  void within(int id, Write&& write) {
    head(id, Kind::structure);
    element(write);
  }
  /// A list: write(place) writes an element by one of the functions below.
  template <class Write>
  void each(int id, Kind kind, std::size_t count, Write&& write) {
    head(id, Kind::list);
    const auto code = static_cast<unsigned>(kind);
    byte(count < 15 ? static_cast<unsigned>(count) << 4 | code : 0xf0U | code);
    if (count >= 15) varint(count);
    for (std::size_t at = 0; at < count; ++at) write(at);
  }
  template <class Write>
  void element(Write&& write) {
    ThriftWriter inner(bytes_);
    write(inner);
    inner.end();
  }
  void whole(std::int64_t value) {
    varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  void put(std::string_view text) {
    varint(text.size());
    bytes_ += text;
  }
  void end() { byte(0); }

 private:
  /// The fields that Parquet has are less than 15 apart.
  void head(int id, Kind kind) {
    byte(static_cast<unsigned>(id - last_) << 4 | static_cast<unsigned>(kind));
    last_ = id;
  }
  void byte(unsigned value) { bytes_ += static_cast<char>(value); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<unsigned>(value & 0x7f) | 0x80U);
    byte(static_cast<unsigned>(value));
  }

  std::string& bytes_;
  int last_ = 0;
};

}  // namespace somnus::parquet
