// Where the parts of a label are, such as fair+order=srpt.
#pragma once

#include <cstddef>
#include <string_view>

namespace somnus {

/// Where the next "+KEY=" begins, or the end: names ("yarn+q") and numbers ("1e+06") have a + of
/// their own.
[[nodiscard]] std::size_t next_exchange(std::string_view label, std::size_t from);

}  // namespace somnus
