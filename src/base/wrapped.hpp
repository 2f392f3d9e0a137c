// Sentences in lines that fit a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace somnus {

/// A text broken at blanks, so that no line is longer than `width`, if its words are not. Lines
/// after the first begin with `indent` blanks; the first, which is taken to begin there, does not.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent,
                                  std::size_t width = 80);

}  // namespace somnus
