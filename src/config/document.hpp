// The TOML document behind Settings: parsed, with the overrides put in their places.
#pragma once

#include <toml++/toml.h>

#include <span>
#include <string>
#include <string_view>

#include "base/value.hpp"
#include "config/config.hpp"

namespace somnus {

/// Each node keeps where it came from: the origin with line and column, or an override's text.
[[nodiscard]] Checked<toml::table> parse_document(std::string_view toml, const std::string& origin,
                                                  std::span<const Override> overrides);

/// Keys in the order in which they were written.
[[nodiscard]] Value values_in(const toml::node& node);

}  // namespace somnus
