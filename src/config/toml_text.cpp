#include "config/toml_text.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

namespace somnus {

std::string in_quotes(std::string_view text) {
  std::ostringstream out;
  const toml::value<std::string> value{std::string(text)};
  out << toml::toml_formatter(value, toml::format_flags::allow_unicode_strings);
  return out.str();
}

bool is_bare_key(std::string_view key) {
  const auto bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), bare);
}

std::string number_text(double number) { return fmt::format("{}", number); }

}  // namespace somnus
