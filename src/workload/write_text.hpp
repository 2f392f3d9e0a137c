// A text file that appears whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace somnus {

/// Takes a text's next piece.
using PutText = std::function<void(std::string_view piece)>;

/// gzip if the name ends so; the same bytes for the same text, in whatever pieces. Throws
/// WorldError when it cannot be written.
void write_text(const std::string& text, const std::filesystem::path& path);
void write_text(const std::function<void(const PutText&)>& put_all,
                const std::filesystem::path& path);

}  // namespace somnus
