// Names are any bytes; terminals and JSON need valid text.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace somnus {

/// The text with each byte that is no UTF-8 as \xNN.
[[nodiscard]] std::string as_utf8(std::string_view text);

/// Besides, control characters and those that steer how a line is laid out as \u{N}, and what is
/// longer than `longest` characters (at least 3) cut in the middle, where ... stands.
[[nodiscard]] std::string printable(std::string_view text,
                                    std::size_t longest = std::numeric_limits<std::size_t>::max());

/// The same without a limit, of several lines, whose ends stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Characters of valid UTF-8.
[[nodiscard]] std::size_t character_count(std::string_view text);

}  // namespace somnus
