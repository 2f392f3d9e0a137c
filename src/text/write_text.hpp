// A text as a file, perhaps a compressed one.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "output/destination.hpp"

namespace somnus {

/// Takes a text's next piece.
using PutText = std::function<void(std::string_view piece)>;

/// gzip if the name ends so; the same bytes for the same text, in whatever pieces. Throws as
/// OutputFile does.
void write_text(const std::string& text, const std::filesystem::path& path,
                const OutputRules& rules);
void write_text(const std::function<void(const PutText&)>& put_all,
                const std::filesystem::path& path, const OutputRules& rules);

}  // namespace somnus
