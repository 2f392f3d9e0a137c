// How values are spelled in TOML.
#pragma once

#include <string>

#include "base/parameters.hpp"

namespace somnus {

/// A described member's value.
template <class T>
[[nodiscard]] std::string value_text(const T& value) {
  return text_of(value_of(value));
}

}  // namespace somnus
