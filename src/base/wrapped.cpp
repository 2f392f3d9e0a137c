#include "base/wrapped.hpp"

namespace somnus {

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::size_t room = width > indent ? width - indent : 1;
  std::string lines;
  while (text.size() > room) {
    std::size_t end = text.rfind(' ', room);
    if (end == std::string_view::npos) end = text.find(' ');
    if (end == std::string_view::npos) break;
    lines.append(text.substr(0, end)).append(1, '\n').append(indent, ' ');
    text.remove_prefix(end + 1);
  }
  return lines.append(text);
}

}  // namespace somnus
