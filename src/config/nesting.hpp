// How deep a TOML text may be nested. Its readers are recursive: toml++ for each array and inline
// table, and code that frees or walks tables for each part of a dotted key. A text of some
// kilobytes could use up the stack. So the depth is checked before the text is parsed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace somnus {

/// Of tables in tables by one key, a.b.c, and of brackets in brackets. Configs need five.
inline constexpr int most_nested = 16;
/// Of a key with its dots [bytes]: what stands below it is named by all of it.
inline constexpr std::size_t longest_key = 1000;

/// The first place where the text goes deeper, or has a longer key; nothing where it does not. What
/// is no TOML is left to the parser.
[[nodiscard]] std::optional<Mistake> too_deep(std::string_view toml, const std::string& origin);

}  // namespace somnus
