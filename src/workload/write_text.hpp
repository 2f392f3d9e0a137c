// A text file that appears whole or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace somnus {

/// gzip if the name ends so; the same bytes for the same text. Throws WorldError when it cannot be
/// written.
void write_text(const std::string& text, const std::filesystem::path& path);

}  // namespace somnus
