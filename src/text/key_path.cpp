#include "text/key_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "text/parse_number.hpp"

namespace somnus {
namespace {

using nlohmann::json;

// Bytes beyond ASCII are letters of some language.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || static_cast<unsigned char>(c) >= 0x80;
}

// The length of a JSON string with its quotes, at the start of the text.
std::size_t length_of_quoted(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

}  // namespace

std::string path(std::string_view above, std::string_view key) {
  const bool plain = !key.empty() && std::ranges::all_of(key, is_plain);
  if (plain) return above.empty() ? std::string(key) : fmt::format("{}.{}", above, key);
  return fmt::format("{}[{}]", above,
                     json(key).dump(-1, ' ', false, json::error_handler_t::replace));
}

std::string path(std::string_view above, std::size_t index) {
  return fmt::format("{}[{}]", above, index);
}

std::vector<PathStep> steps_of(std::string_view path) {
  std::vector<PathStep> steps;
  while (!path.empty()) {
    if (path.starts_with("[\"")) {
      const std::size_t length = length_of_quoted(path.substr(1));
      steps.emplace_back(json::parse(path.substr(1, length)).get<std::string>());
      path.remove_prefix(std::min(length + 2, path.size()));
    } else if (path.front() == '[') {
      const std::size_t end = std::min(path.find(']'), path.size() - 1);
      steps.emplace_back(parse_number<std::size_t>(path.substr(1, end - 1)).value_or(0));
      path.remove_prefix(end + 1);
    } else {
      if (path.front() == '.') path.remove_prefix(1);
      const std::size_t end = std::min(path.find_first_of(".["), path.size());
      steps.emplace_back(std::string(path.substr(0, end)));
      path.remove_prefix(end);
    }
  }
  return steps;
}

}  // namespace somnus
