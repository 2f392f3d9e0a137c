#include "text/contents.hpp"

#include <array>
#include <cerrno>
#include <fstream>

namespace somnus {

std::optional<std::string> contents_of(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string text;
  std::array<char, 1 << 14> part;
  do {
    in.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
  } while (in);
  if (!in.is_open() || in.bad()) return std::nullopt;
  return text;
}

}  // namespace somnus
