// "did you mean 'slots_per_node'?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace somnus {

/// The candidate within a third of its length in edits (insert, delete, change, swap neighbours),
/// as the hint `did you mean 'x'?`; else the shortest that has all words of it, if these are
/// several: response_mean_s for mean_response; else, with at most twelve candidates, `known are a,
/// b, c`; else empty.
[[nodiscard]] std::string suggest(std::string_view word, std::span<const std::string> candidates);

}  // namespace somnus
