// How values are spelled in TOML.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

#include "base/describe.hpp"

namespace somnus {

/// In double quotes, escaped.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// May stand before `=` without quotes: letters, digits, _ and -.
[[nodiscard]] bool is_bare_key(std::string_view key);

/// The shortest decimal that reads back as the same number, without a point where it needs none.
[[nodiscard]] std::string number_text(double number);

/// A described member's value.
template <class T>
[[nodiscard]] std::string value_text(const T& value) {
  if constexpr (std::same_as<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::same_as<T, std::string>) {
    return in_quotes(value);
  } else if constexpr (std::same_as<T, double>) {
    return number_text(value);
  } else if constexpr (NamedEnum<T>) {
    return in_quotes(name_of(value));
  } else {
    static_assert(std::unsigned_integral<T>);
    return fmt::format("{}", value);
  }
}

}  // namespace somnus
