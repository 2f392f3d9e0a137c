// UTF-16, as spreadsheets and Windows write text, turned into UTF-8 piece by piece.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace somnus {

class Utf16Decoder {
 public:
  static constexpr std::size_t mark_bytes = 2;

  /// By the byte order mark at the text's beginning; nothing if it has none.
  [[nodiscard]] static std::optional<Utf16Decoder> of_mark(std::string_view beginning);

  /// The next bytes, behind the mark. False if they are no UTF-16.
  [[nodiscard]] bool decode(std::string_view bytes, std::string& utf8);
  /// Whether the text may end here: not within a character.
  [[nodiscard]] bool may_end() const { return odd_byte_ < 0 && high_ == 0; }

 private:
  explicit Utf16Decoder(bool is_big_endian) : is_big_endian_(is_big_endian) {}
  [[nodiscard]] bool add(std::uint32_t unit, std::string& utf8);

  bool is_big_endian_;
  int odd_byte_ = -1;       // the first of a unit, where bytes ended there
  std::uint32_t high_ = 0;  // of a pair, whose second unit is to come; 0: none
};

}  // namespace somnus
