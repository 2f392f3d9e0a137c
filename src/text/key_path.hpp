// The path of a value in a JSON line, as messages print it: stages[1].parents[0], users["a.b"].
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace somnus {

/// "stages[1]" + "parents"; a path of one key if `above` is empty. A key beyond letters, digits, _
/// and - stands in brackets and quotes, escaped as in JSON.
[[nodiscard]] std::string path(std::string_view above, std::string_view key);
[[nodiscard]] std::string path(std::string_view above, std::size_t index);

/// A key of an object, or an index of an array.
using PathStep = std::variant<std::string, std::size_t>;

/// What path() put together.
[[nodiscard]] std::vector<PathStep> steps_of(std::string_view path);

}  // namespace somnus
