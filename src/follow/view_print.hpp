// A view for people, and for programs.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "follow/view.hpp"

namespace somnus {

/// Lines that fit a terminal of that size, at least 40 x 8: what there is no room for is left out,
/// jobs first, then queues, then users.
[[nodiscard]] std::string to_text(const View& view, std::size_t columns, std::size_t lines);
/// In one line, for where nothing can be drawn over.
[[nodiscard]] std::string to_line(const View& view);
[[nodiscard]] nlohmann::json to_json(const View& view);

}  // namespace somnus
