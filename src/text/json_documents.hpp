// JSON documents that stand one behind the other in a text, over lines as they like.
#pragma once

#include <functional>
#include <string_view>

namespace somnus {

/// Calls visit(document, line and column where it begins, from 1). What begins with neither brace
/// nor bracket goes to its line's end, and what is never closed to the text's.
void for_each_document(
    std::string_view text,
    const std::function<void(std::string_view document, int line, int column)>& visit);

}  // namespace somnus
