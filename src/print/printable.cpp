#include "print/printable.hpp"

#include <fmt/format.h>

#include <fmt/ranges.h>
#include <algorithm>
#include <boost/locale/utf.hpp>
#include <ranges>
#include <vector>

namespace somnus {
namespace {

using Utf8 = boost::locale::utf::utf_traits<char>;
using boost::locale::utf::code_point;

bool between(code_point point, code_point first, code_point last) {
  return first <= point && point <= last;
}

bool is_invisible(code_point point) {
  return between(point, 0, 0x1F) || between(point, 0x7F, 0x9F) ||  // controls
         point == 0x061C || between(point, 0x200B, 0x200F) ||      // widths and directions
         between(point, 0x2028, 0x202E) || between(point, 0x2060, 0x206F) || point == 0xFEFF;
}

/// The text's characters, what is no character escaped.
std::vector<std::string> characters(std::string_view text, bool escape_invisible) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const char* at = text.data();
    const code_point point = Utf8::decode(at, text.data() + text.size());
    auto length = static_cast<std::size_t>(at - text.data());
    if (!boost::locale::utf::is_valid_codepoint(point)) {
      length = 1;
      found.push_back(fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front())));
    } else if (escape_invisible && is_invisible(point)) {
      found.push_back(fmt::format("\\u{{{:x}}}", point));
    } else {
      found.emplace_back(text.substr(0, length));
    }
    text.remove_prefix(length);
  }
  return found;
}

std::string join(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ""));
}

}  // namespace

std::string as_utf8(std::string_view text) { return join(characters(text, false)); }

std::string printable(std::string_view text, std::size_t longest) {
  std::vector<std::string> parts = characters(text, true);
  std::size_t width = 0;
  for (const std::string& part : parts) width += character_count(part);
  if (width <= longest) return join(parts);
  // An escape is kept or dropped whole.
  const std::size_t room = longest - 3;
  std::string head;
  std::string tail;
  for (const std::string& part : parts) {
    if (character_count(head) + character_count(part) > room - room / 2) break;
    head += part;
  }
  for (const std::string& part : std::ranges::reverse_view(parts)) {
    if (character_count(tail) + character_count(part) > room / 2) break;
    tail.insert(0, part);
  }
  return head + "..." + tail;
}

std::string printable_lines(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return printable(text);
  return printable(text.substr(0, end)) + '\n' + printable_lines(text.substr(end + 1));
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return Utf8::is_lead(byte); }));
}

}  // namespace somnus
