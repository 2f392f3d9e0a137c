// What is said to a process and what it answers, in words, from the descriptions.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/describe.hpp"
#include "base/wrapped.hpp"

namespace somnus {

/// Whether a field's words say that it has to be there, or what is around them does.
enum class Required { is_said, is_clear };

/// A line or more for each field.
template <Described T, Required required = Required::is_said>
[[nodiscard]] std::string fields_in_words() {
  std::string text;
  for_each_field<T>([&](const auto& field) {
    const bool has_unit = *field.unit != '\0' && std::string_view(field.unit) != "1";
    const std::string unit = has_unit ? fmt::format(" [{}]", field.unit) : "";
    const bool says_so = required == Required::is_said && field.required;
    const std::string words =
        fmt::format("{}{}{}", field.meaning, unit, says_so ? "; has to be there" : "");
    text += fmt::format("    {:<15} {}\n", field.name, wrapped(words, 20));
  });
  return text;
}

/// Of events, each with its kind.
template <class... Events>
[[nodiscard]] std::string events_in_words() {
  return (fmt::format("  {{\"event\":\"{}\"}}\n{}\n", Events::kind, fields_in_words<Events>()) +
          ...);
}

}  // namespace somnus
