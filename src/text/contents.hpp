// Files that are read whole.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace somnus {

/// All bytes of the file; none: it cannot be opened, or read to its end, and errno says why.
[[nodiscard]] std::optional<std::string> contents_of(const std::filesystem::path& file);

}  // namespace somnus
