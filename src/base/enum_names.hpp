// Enums that people write by name, in configs and options.
#pragma once

namespace somnus {

/// An enum that people write by name: specialise with a `names` array of {value, "name"} pairs.
template <class Enum>
struct EnumNames;

template <class Enum>
concept NamedEnum = requires { EnumNames<Enum>::names; };

template <NamedEnum Enum>
[[nodiscard]] constexpr const char* name_of(Enum value) {
  for (const auto& [candidate, name] : EnumNames<Enum>::names) {
    if (candidate == value) return name;
  }
  return "?";
}

}  // namespace somnus
