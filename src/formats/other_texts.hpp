// What a text is that no format reads, and what to do about it.
#pragma once

#include <optional>
#include <string_view>

#include "text/file_kind.hpp"

namespace somnus {

/// Of a file that begins so, and as none of a format does: JSON of something else.
[[nodiscard]] std::optional<FileKind> kind_of_other_json(std::string_view beginning);
/// Nothing at all, cells with blanks between, or a table under a title.
[[nodiscard]] std::optional<FileKind> kind_of_other_text(std::string_view beginning);

}  // namespace somnus
