// The hint for an unknown policy, order or other part.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/suggest.hpp"

namespace somnus {

/// As suggest(), and never empty.
[[nodiscard]] inline std::string policy_hint(std::string_view word,
                                             std::span<const std::string> known) {
  std::string near = suggest(word, known);
  return near.empty()
             ? "`somnus policies` lists those that there are; a plug-in is loaded by --plugin"
             : near;
}

}  // namespace somnus
