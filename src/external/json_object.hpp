// A described struct as a JSON object, in one go: no tree of values stands between.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"

namespace somnus {

/// An instant since the run's start, as JSON has it.
[[nodiscard]] inline std::int64_t ns(Time time) { return time.time_since_epoch().count(); }
/// An id; none where it is invalid.
template <class Tag>
[[nodiscard]] std::optional<std::uint32_t> number_of(Id<Tag> id) {
  return id.valid() ? std::optional(id.value()) : std::nullopt;
}

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
  if constexpr (std::same_as<Number, bool>) {
    line += number ? "true" : "false";
  } else if constexpr (std::integral<Number>) {
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
template <Described T>
void append_json(std::string& line, const T& described);
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

template <Described T>
void append_json(std::string& line, const T& described) {
  line += '{';
  append_json_fields(line, described);
  line += '}';
}

/// The same with its kind as "event".
template <Described Event>
void append_event(std::string& line, const Event& event) {
  line += R"({"event":")";
  line += Event::kind;
  line += '"';
  append_json_fields(line, event);
  line += '}';
}

}  // namespace somnus
