// Bytes that are read from the front. Reading more than there is throws a FormatError.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "parquet/format_error.hpp"

namespace somnus::parquet {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie there");

class Bytes {
 public:
  explicit Bytes(std::string_view all) : left_(all) {}

  [[nodiscard]] std::size_t size() const { return left_.size(); }
  [[nodiscard]] std::string_view rest() const { return left_; }

  std::string_view take(std::uint64_t count) {
    require(count <= left_.size(), "expected {} more bytes, found {}", count, left_.size());
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }

  /// Of fixed width, little-endian.
  template <class Number>
  Number number() {
    Number value;
    const std::string_view bytes = take(sizeof value);
    bytes.copy(reinterpret_cast<char*>(&value), bytes.size());
    return value;
  }

  /// Seven bits a byte, the lowest first.
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = number<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    throw FormatError("expected a number of at most 10 bytes, found a longer one");
  }

 private:
  std::string_view left_;
};

}  // namespace somnus::parquet
