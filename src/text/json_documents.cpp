#include "text/json_documents.hpp"

#include <algorithm>

namespace somnus {
namespace {

std::size_t length_of_document(std::string_view text) {
  if (text.front() != '{' && text.front() != '[') return std::min(text.find('\n'), text.size());
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char one = text[at];
    if (quoted) {
      if (one == '\\') ++at;
      if (one == '"') quoted = false;
    } else if (one == '"') {
      quoted = true;
    } else if (one == '{' || one == '[') {
      ++depth;
    } else if ((one == '}' || one == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return text.size();
}

}  // namespace

void for_each_document(
    std::string_view text,
    const std::function<void(std::string_view document, int line, int column)>& visit) {
  constexpr std::string_view blanks = " \t\r\n";
  int line = 1;
  int column = 1;
  const auto pass = [&](std::size_t length) {
    const std::string_view passed = text.substr(0, length);
    const auto line_end = passed.rfind('\n');
    if (line_end == std::string_view::npos) {
      column += static_cast<int>(length);
    } else {
      line += static_cast<int>(std::ranges::count(passed, '\n'));
      column = static_cast<int>(length - line_end);
    }
    text.remove_prefix(length);
  };
  while (true) {
    pass(std::min(text.find_first_not_of(blanks), text.size()));
    if (text.empty()) return;
    const std::size_t length = length_of_document(text);
    visit(text.substr(0, length), line, column);
    pass(length);
  }
}

}  // namespace somnus
