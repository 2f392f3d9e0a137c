#include "text/utf16.hpp"

namespace somnus {
namespace {

void append_utf8(std::uint32_t code, std::string& utf8) {
  const auto put = [&](std::uint32_t byte) { utf8 += static_cast<char>(byte); };
  const auto put_rest = [&](int shift) { put(0x80U | ((code >> shift) & 0x3fU)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0U | code >> 6);
    return put_rest(0);
  }
  if (code < 0x10000) {
    put(0xe0U | code >> 12);
    put_rest(6);
    return put_rest(0);
  }
  put(0xf0U | code >> 18);
  put_rest(12);
  put_rest(6);
  put_rest(0);
}

}  // namespace

std::optional<Utf16Decoder> Utf16Decoder::of_mark(std::string_view beginning) {
  if (beginning.starts_with("\xff\xfe")) return Utf16Decoder(false);
  if (beginning.starts_with("\xfe\xff")) return Utf16Decoder(true);
  return std::nullopt;
}

bool Utf16Decoder::decode(std::string_view bytes, std::string& utf8) {
  for (const char byte : bytes) {
    const auto second = static_cast<unsigned char>(byte);
    if (odd_byte_ < 0) {
      odd_byte_ = second;
      continue;
    }
    const auto first = static_cast<std::uint32_t>(odd_byte_);
    odd_byte_ = -1;
    if (!add(is_big_endian_ ? first << 8 | second : first | std::uint32_t{second} << 8, utf8)) {
      return false;
    }
  }
  return true;
}

bool Utf16Decoder::add(std::uint32_t unit, std::string& utf8) {
  const bool is_high = unit >= 0xd800 && unit < 0xdc00;
  const bool is_low = unit >= 0xdc00 && unit < 0xe000;
  if (is_low != (high_ != 0)) return false;
  if (is_high) {
    high_ = unit;
    return true;
  }
  append_utf8(is_low ? 0x10000 + ((high_ - 0xd800) << 10) + (unit - 0xdc00) : unit, utf8);
  high_ = 0;
  return true;
}

}  // namespace somnus
