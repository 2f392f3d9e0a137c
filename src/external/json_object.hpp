// A described struct as a JSON object, in one go: no tree of values stands between.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.hpp"

namespace somnus {

inline void append_json(std::string& line, std::string_view text) {
  line += '"';
  for (const char each : text) {
    if (each == '"' || each == '\\') {
      line += '\\';
      line += each;
    } else if (static_cast<unsigned char>(each) < 0x20) {
      fmt::format_to(std::back_inserter(line), "\\u{:04x}", static_cast<unsigned>(each));
    } else {
      line += each;
    }
  }
  line += '"';
}
template <class Number>
  requires(std::integral<Number> || std::floating_point<Number>)
void append_json(std::string& line, Number number) {
  if constexpr (std::integral<Number>) {
    const fmt::format_int digits(number);
    line.append(digits.data(), digits.size());
  } else {
    fmt::format_to(std::back_inserter(line), "{}", number);
  }
}
template <NamedEnum Enum>
void append_json(std::string& line, Enum value) {
  append_json(line, std::string_view(name_of(value)));
}
template <class T>
void append_json(std::string& line, const std::vector<T>& list) {
  line += '[';
  for (const T& each : list) {
    if (line.back() != '[') line += ',';
    append_json(line, each);
  }
  line += ']';
}
template <class T>
void append_json(std::string& line, const std::map<std::string, T>& table) {
  line += '{';
  for (const auto& [key, value] : table) {
    if (line.back() != '{') line += ',';
    append_json(line, std::string_view(key));
    line += ':';
    append_json(line, value);
  }
  line += '}';
}

/// `"name":value` for each field, separated by commas; those that are empty are left out.
template <Described T>
void append_json_fields(std::string& line, const T& described) {
  for_each_field<T>([&](const auto& field) {
    const auto append = [&](const auto& value) {
      if (line.back() != '{') line += ',';
      line += '"';
      line += field.name;
      line += "\":";
      append_json(line, value);
    };
    const auto& member = described.*field.member;
    if constexpr (requires { member.has_value(); }) {
      if (member) append(*member);
    } else {
      append(member);
    }
  });
}

}  // namespace somnus
